// A service as gRPC's machinery sees it: one level deep. The parts inside its messages stay bytes, which only a protocol's own codec looks
// into; on the wire a part and its bytes are the same.
import { clone, createFileRegistry, isFieldSet, type DescService } from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  type FileDescriptorProto,
} from "@bufbuild/protobuf/wkt";

/** The service has the same methods, whose messages are read and written in binary form only. */
export function shallowService(service: DescService): DescService {
  const { dependencies } = service.file;
  const registry = createFileRegistry(shallowFile(service.file.proto), (name) =>
    dependencies.find((file) => file.proto.name === name),
  );
  // The registry was made from the very file that declares it.
  return registry.getService(service.typeName) as DescService;
}

function shallowFile(proto: FileDescriptorProto): FileDescriptorProto {
  const file = clone(FileDescriptorProtoSchema, proto);
  for (const field of file.messageType.flatMap((message) => message.field)) {
    if (field.type !== FieldDescriptorProto_Type.MESSAGE) continue;
    field.type = FieldDescriptorProto_Type.BYTES;
    field.typeName = "";
    // A part that is there and empty is not one that is absent.
    const single = field.label !== FieldDescriptorProto_Label.REPEATED;
    if (single && !isFieldSet(field, FieldDescriptorProtoSchema.field.oneofIndex))
      field.proto3Optional = true;
  }
  return file;
}
