// 1. 创建任务
const createResponse = await fetch('http://localhost:3001/api/tasks', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({
    task: 'Create a report about sales data',
    workspace: './workspace'
  })
});
const { agent } = await createResponse.json();
const taskId = agent.id;

// 2. 创建执行步骤
const stepResponse = await fetch(`http://localhost:3001/api/tasks/${taskId}/steps`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({
    name: 'Analyze sales data',
    input: { action: 'analyze', dataset: 'sales_2024.csv' }
  })
});
const step = await stepResponse.json();

// 3. 更新步骤状态为运行中
await fetch(`http://localhost:3001/api/tasks/${taskId}/steps/${step.step_id}`, {
  method: 'PATCH',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ status: 'running' })
});

// 4. 完成步骤并上传结果
await fetch(`http://localhost:3001/api/tasks/${taskId}/steps/${step.step_id}`, {
  method: 'PATCH',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({
    status: 'completed',
    output: { summary: 'Sales increased by 15%' },
    is_last: true
  })
});

// 5. 上传产物
const formData = new FormData();
formData.append('file', reportFile);
formData.append('relative_path', 'reports/sales_report.pdf');

await fetch(`http://localhost:3001/api/tasks/${taskId}/steps/${step.step_id}/artifacts`, {
  method: 'POST',
  body: formData
});
