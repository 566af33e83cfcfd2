// What CI systems agree on about JUnit XML, as a schema. There is no official one: this is what Jenkins, GitLab, Azure DevOps
// and CircleCI all read, in the order in which it is usually written.

const ATTRIBUTE = (name: string, type: string, use = "required"): string =>
  `<xs:attribute name="${name}" type="${type}" use="${use}"/>`;

const COUNTS = ["tests", "failures", "errors", "skipped"]
  .map((name) => ATTRIBUTE(name, "xs:nonNegativeInteger"))
  .join("");

export const JUNIT_SCHEMA = `<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:simpleType name="seconds">
    <xs:restriction base="xs:decimal"><xs:minInclusive value="0"/><xs:fractionDigits value="3"/></xs:restriction>
  </xs:simpleType>
  <xs:simpleType name="word"><xs:restriction base="xs:string"><xs:minLength value="1"/></xs:restriction></xs:simpleType>
  <xs:complexType name="said" mixed="true">
    ${ATTRIBUTE("message", "xs:string")}${ATTRIBUTE("type", "word")}
  </xs:complexType>
  <xs:complexType name="skipped">${ATTRIBUTE("message", "xs:string", "optional")}</xs:complexType>
  <xs:complexType name="property">${ATTRIBUTE("name", "word")}${ATTRIBUTE("value", "xs:string")}</xs:complexType>
  <xs:complexType name="properties">
    <xs:sequence><xs:element name="property" type="property" maxOccurs="unbounded"/></xs:sequence>
  </xs:complexType>
  <xs:complexType name="testcase">
    <xs:sequence>
      <xs:element name="properties" type="properties" minOccurs="0"/>
      <xs:choice minOccurs="0">
        <xs:element name="skipped" type="skipped"/>
        <xs:element name="error" type="said"/>
        <xs:element name="failure" type="said"/>
      </xs:choice>
      <xs:element name="system-out" type="xs:string" minOccurs="0"/>
      <xs:element name="system-err" type="xs:string" minOccurs="0"/>
    </xs:sequence>
    ${ATTRIBUTE("name", "xs:string")}${ATTRIBUTE("classname", "xs:string")}${ATTRIBUTE("time", "seconds")}
    ${ATTRIBUTE("file", "xs:string", "optional")}${ATTRIBUTE("line", "xs:positiveInteger", "optional")}
  </xs:complexType>
  <xs:complexType name="testsuite">
    <xs:sequence>
      <xs:element name="properties" type="properties" minOccurs="0"/>
      <xs:element name="testcase" type="testcase" minOccurs="0" maxOccurs="unbounded"/>
    </xs:sequence>
    ${ATTRIBUTE("name", "xs:string")}${COUNTS}${ATTRIBUTE("time", "seconds")}
    ${ATTRIBUTE("file", "xs:string", "optional")}${ATTRIBUTE("timestamp", "xs:dateTime", "optional")}
  </xs:complexType>
  <xs:element name="testsuites">
    <xs:complexType>
      <xs:sequence><xs:element name="testsuite" type="testsuite" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
      ${ATTRIBUTE("name", "xs:string")}${COUNTS}${ATTRIBUTE("time", "seconds")}
    </xs:complexType>
  </xs:element>
</xs:schema>
`;
