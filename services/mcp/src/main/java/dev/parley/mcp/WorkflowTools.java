package dev.parley.mcp;

import static dev.parley.mcp.ObjectSchema.any;
import static dev.parley.mcp.ObjectSchema.choice;
import static dev.parley.mcp.ObjectSchema.field;
import static dev.parley.mcp.ObjectSchema.flag;
import static dev.parley.mcp.ObjectSchema.object;
import static dev.parley.mcp.ObjectSchema.ofResultWith;
import static dev.parley.mcp.ObjectSchema.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.mcp.McpTool.Effect;
import dev.parley.platform.api.ApiRequest;
import dev.parley.platform.http.AuditComment;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** MCP tools for workflows, their processes and human tasks. */
final class WorkflowTools {
    private static final Set<String> WORKFLOWS = Set.of("workflows");
    private static final Duration DEFAULT_WAIT = Duration.ofSeconds(10);
    private static final String EVENT = "application/cloudevents+json";
    private static final String PROCESS = "Id of the process.";
    private static final List<String> PHASES =
            List.of("pending", "running", "waiting", "suspended", "completed", "faulted", "cancelled");

    private WorkflowTools() {}

    static List<McpTool> all() {
        return List.of(
                listWorkflows(),
                start(),
                listProcesses(),
                getProcess(),
                cancel(),
                listTasks(),
                completeTask(),
                publishEvent());
    }

    private static McpTool listWorkflows() {
        return new McpTool(
                "list_workflows",
                "List workflows",
                "Lists the workflows that can be started in a project, one entry for each version.",
                WORKFLOWS,
                Effect.READS,
                ObjectSchema.ofArguments()
                        .optional("name", text("Only versions of the workflow with this name."))
                        .optional("namespace", text("Only workflows of this namespace."))
                        .inProject()
                        .paged(),
                ObjectSchema.page("The workflows.", ofResultWith("name", "Name of the workflow.")),
                McpTool.request(call -> SessionTools.addPaging(
                                call, ApiRequest.get("/v1/projects/{}/workflows", call.inProject()))
                        .with("name", call.arguments().maybe("name"))
                        .with("namespace", call.arguments().maybe("namespace"))));
    }

    private static McpTool start() {
        return new McpTool(
                "start_workflow",
                "Start a workflow",
                "Starts a process of a workflow and waits a while for its end. If it takes longer or "
                        + "asks people, follow it with get_process and list_tasks.",
                WORKFLOWS,
                Effect.ACTS,
                ObjectSchema.ofArguments()
                        .required(
                                "workflow",
                                text("Workflow id, namespace:name for the newest version, or namespace:name:version."))
                        .optional("input", any("Input of the workflow, usually an object."))
                        .optional(
                                "wait_seconds",
                                SessionTools.wait("Seconds to wait for the end of the process. Defaults to 10"))
                        .inProject()
                        .once(),
                process(),
                McpTool.request(WorkflowTools::startRequest));
    }

    private static ApiRequest startRequest(McpToolCall call) {
        return ApiRequest.post(
                        "/v1/projects/{}/workflows/{}/instances",
                        call.inProject(),
                        call.arguments().text("workflow"))
                .body(call.arguments().body("input"))
                .once(call.reference())
                .waiting(call.arguments().seconds("wait_seconds", DEFAULT_WAIT));
    }

    private static McpTool listProcesses() {
        return new McpTool(
                "list_processes",
                "List processes",
                "Lists the processes of workflows in a project, newest first.",
                WORKFLOWS,
                Effect.READS,
                ObjectSchema.ofArguments()
                        .optional("phase", choice("Only processes in this phase.", PHASES))
                        .optional(
                                "workflow",
                                text("Only processes of this workflow: namespace:name, with or without :version."))
                        .inProject()
                        .paged(),
                ObjectSchema.page("The processes.", ofResultWith("id", PROCESS)),
                McpTool.request(call -> SessionTools.addPaging(call, ApiRequest.get("/v1/processes"))
                        .with("project", call.inProject())
                        .with("phase", call.arguments().maybe("phase"))
                        .with("definition", call.arguments().maybe("workflow"))));
    }

    private static McpTool getProcess() {
        return new McpTool(
                "get_process",
                "Look at a process",
                "Returns the state of a process: its phase, and its output or error; 'next' says in "
                        + "one line what it waits for.",
                WORKFLOWS,
                Effect.READS,
                ObjectSchema.ofArguments()
                        .required("process", text(PROCESS))
                        .optional(
                                "wait_seconds",
                                SessionTools.wait("Seconds to wait for the end of the process. Defaults to 0")),
                process(),
                McpTool.request(call -> ApiRequest.get(
                                "/v1/processes/{}", call.arguments().text("process"))
                        .with("fresh", true)
                        .waiting(call.arguments().seconds("wait_seconds", Duration.ZERO))));
    }

    private static McpTool cancel() {
        return new McpTool(
                "cancel_process",
                "Cancel a process",
                "Cancels a process that has not ended. This cannot be undone.",
                WORKFLOWS,
                Effect.ENDS,
                ObjectSchema.ofArguments()
                        .required("process", text(PROCESS))
                        .optional("reason", text("Reason, for the audit log.", AuditComment.MAX_LENGTH)),
                process(),
                McpTool.request(call -> ApiRequest.post(
                                "/v1/processes/{}/cancel", call.arguments().text("process"))
                        .body(call.arguments().body("reason"))));
    }

    private static McpTool listTasks() {
        return new McpTool(
                "list_tasks",
                "List tasks",
                "Lists the open tasks for people, from workflows and agents, most important first: the "
                        + "question, and its options or schema.",
                WORKFLOWS,
                Effect.READS,
                ObjectSchema.ofArguments()
                        .optional(
                                "mine", flag("True to list only tasks that the caller may answer. Defaults to false."))
                        .inProject()
                        .paged(),
                ObjectSchema.page("The tasks.", ofResultWith("id", "Id of the task.")),
                McpTool.request(call -> SessionTools.addPaging(call, ApiRequest.get("/v1/tasks"))
                        .with("project", call.inProject())
                        .with("fresh", true)
                        .with("mine", call.arguments().maybe("mine"))));
    }

    private static McpTool completeTask() {
        return new McpTool(
                "complete_task",
                "Answer a task",
                "Answers a task of a workflow or an agent in the caller's name: ask the person before "
                        + "you answer for them. An invalid answer is refused, and the task stays open.",
                WORKFLOWS,
                Effect.ACTS,
                ObjectSchema.ofArguments()
                        .required("task", text("Id of the task."))
                        .optional(
                                "value", any("Answer: one of the options, a text, or a value that matches the schema."))
                        .optional("fields", object("Answer to a form, field by field, in place of a value."))
                        .optional("comment", text("Comment for readers of the task.", 2_000))
                        .once(),
                process(),
                McpTool.request(call -> ApiRequest.post(
                                "/v1/tasks/{}/complete", call.arguments().text("task"))
                        .body(call.arguments().body("value", "fields", "comment"))
                        .once(call.reference())));
    }

    private static McpTool publishEvent() {
        return new McpTool(
                "publish_event",
                "Publish an event",
                "Publishes an event (CloudEvents) in a project, for processes that wait for it and "
                        + "workflows that start with it. An event counts once by its source and id.",
                WORKFLOWS,
                Effect.ACTS,
                ObjectSchema.ofArguments()
                        .required("type", text("Type of the event, such as com.example.order.paid."))
                        .optional("source", text("Source of the event. Defaults to 'mcp'."))
                        .optional("subject", text("Subject of the event."))
                        .optional("id", text("Id of the event. Defaults to a new id."))
                        .optional("data", any("Data of the event."))
                        .inProject(),
                ObjectSchema.ofResult().required("accepted", field("integer", "Number of accepted events.")),
                McpTool.request(call -> ApiRequest.post("/v1/events")
                        .with("project", call.inProject())
                        .body(event(call), EVENT)));
    }

    private static ObjectNode event(McpToolCall call) {
        ObjectNode event = call.arguments()
                .body("type", "subject", "data")
                .put("specversion", "1.0")
                .put("source", call.arguments().or("source", "mcp"));
        return event.put("id", call.arguments().or("id", call.reference()));
    }

    private static ObjectSchema process() {
        return ofResultWith("id", "Id of the process, or of the task if an agent asked.");
    }
}
