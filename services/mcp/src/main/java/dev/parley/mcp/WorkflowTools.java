package dev.parley.mcp;

import static dev.parley.mcp.ObjectSchema.any;
import static dev.parley.mcp.ObjectSchema.choice;
import static dev.parley.mcp.ObjectSchema.flag;
import static dev.parley.mcp.ObjectSchema.object;
import static dev.parley.mcp.ObjectSchema.some;
import static dev.parley.mcp.ObjectSchema.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.mcp.Tool.Effect;
import dev.parley.platform.api.ApiRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** MCP tools for workflows, their processes and human tasks. */
final class WorkflowTools {
    private static final Set<String> WORKFLOWS = Set.of("workflows");
    private static final Duration SHORTLY = Duration.ofSeconds(10);
    private static final String EVENT = "application/cloudevents+json";
    private static final String PROCESS = "The id of the process.";

    private WorkflowTools() {}

    static List<Tool> all() {
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

    private static Tool listWorkflows() {
        return new Tool(
                "list_workflows",
                "List workflows",
                "Lists the workflows that can be started in a project, each version for itself.",
                WORKFLOWS,
                Effect.READS,
                ObjectSchema.ofArguments()
                        .optional("name", text("Only versions of this one."))
                        .optional("namespace", text("Only those of this namespace."))
                        .inProject()
                        .paged(),
                ObjectSchema.page("The workflows.", row("name", "The workflow's name.")),
                Tool.request(
                        call -> SessionTools.paged(call, ApiRequest.get("/v1/projects/{}/workflows", call.inProject()))
                                .with("name", call.arguments().maybe("name"))
                                .with("namespace", call.arguments().maybe("namespace"))));
    }

    private static Tool start() {
        return new Tool(
                "start_workflow",
                "Start a workflow",
                "Starts a process of a workflow and waits a while for its end. Where it goes on longer, or asks people, look at it "
                        + "with get_process and list_tasks.",
                WORKFLOWS,
                Effect.ACTS,
                ObjectSchema.ofArguments()
                        .required(
                                "workflow",
                                text("namespace:name for the newest version, namespace:name:version, or an id."))
                        .optional("input", any("What the workflow gets; mostly an object."))
                        .optional(
                                "wait_seconds",
                                SessionTools.wait("How long to wait for its end; 10 where it is missing"))
                        .inProject()
                        .once(),
                process(),
                Tool.request(call -> ApiRequest.post(
                                "/v1/projects/{}/workflows/{}/instances",
                                call.inProject(),
                                call.arguments().text("workflow"))
                        .body(call.arguments().body(Map.of("input", "input")))
                        .once(call.reference())
                        .waiting(call.arguments().seconds("wait_seconds", SHORTLY))));
    }

    private static Tool listProcesses() {
        return new Tool(
                "list_processes",
                "List processes",
                "Lists the processes of workflows in a project, the newest first.",
                WORKFLOWS,
                Effect.READS,
                ObjectSchema.ofArguments()
                        .optional(
                                "phase",
                                choice(
                                        "Only those.",
                                        List.of(
                                                "pending",
                                                "running",
                                                "waiting",
                                                "suspended",
                                                "completed",
                                                "faulted",
                                                "cancelled")))
                        .optional(
                                "workflow",
                                text("Only those of this workflow: namespace:name, with or without :version."))
                        .inProject()
                        .paged(),
                ObjectSchema.page("The processes.", row("id", PROCESS)),
                Tool.request(call -> SessionTools.paged(call, ApiRequest.get("/v1/processes"))
                        .with("project", call.inProject())
                        .with("phase", call.arguments().maybe("phase"))
                        .with("definition", call.arguments().maybe("workflow"))));
    }

    private static Tool getProcess() {
        return new Tool(
                "get_process",
                "Look at a process",
                "How a process is: its phase, its output or its error; 'next' says in a line what it waits for.",
                WORKFLOWS,
                Effect.READS,
                ObjectSchema.ofArguments()
                        .required("process", text(PROCESS))
                        .optional(
                                "wait_seconds",
                                SessionTools.wait("How long to wait for its end; 0 where it is missing")),
                process(),
                Tool.request(call -> ApiRequest.get(
                                "/v1/processes/{}", call.arguments().text("process"))
                        .with("fresh", true)
                        .waiting(call.arguments().seconds("wait_seconds", Duration.ZERO))));
    }

    private static Tool cancel() {
        return new Tool(
                "cancel_process",
                "Cancel a process",
                "Ends a process that goes on. It cannot be taken back.",
                WORKFLOWS,
                Effect.ENDS,
                ObjectSchema.ofArguments().required("process", text(PROCESS)),
                process(),
                Tool.request(call -> ApiRequest.post(
                        "/v1/processes/{}/cancel", call.arguments().text("process"))));
    }

    private static Tool listTasks() {
        return new Tool(
                "list_tasks",
                "List tasks",
                "Lists what workflows and agents ask people, the most important first: the question, its options or its schema.",
                WORKFLOWS,
                Effect.READS,
                ObjectSchema.ofArguments()
                        .optional("mine", flag("true: those that the caller may answer."))
                        .inProject()
                        .paged(),
                ObjectSchema.page("The tasks.", row("id", "The id of the task.")),
                Tool.request(call -> SessionTools.paged(call, ApiRequest.get("/v1/tasks"))
                        .with("project", call.inProject())
                        .with("fresh", true)
                        .with("mine", call.arguments().maybe("mine"))));
    }

    private static Tool completeTask() {
        return new Tool(
                "complete_task",
                "Answer a task",
                "Answers what a workflow or an agent asks, in the caller's name: ask the person before you answer for them. A wrong "
                        + "answer is refused, and the task still waits.",
                WORKFLOWS,
                Effect.ACTS,
                ObjectSchema.ofArguments()
                        .required("task", text("The id of the task."))
                        .optional("value", any("The answer: one of the options, a text, or what the schema wants."))
                        .optional("fields", object("The answer to a form, field by field, in place of a value."))
                        .optional("comment", text("A comment, for whoever looks at it.", 2_000))
                        .once(),
                process(),
                Tool.request(call -> ApiRequest.post(
                                "/v1/tasks/{}/complete", call.arguments().text("task"))
                        .body(call.arguments().body(Map.of("value", "value", "fields", "fields", "comment", "comment")))
                        .once(call.reference())));
    }

    private static Tool publishEvent() {
        return new Tool(
                "publish_event",
                "Publish an event",
                "Publishes an event (CloudEvents) in a project, for processes that wait for one, and workflows that begin with one. It "
                        + "counts once by its source and id.",
                WORKFLOWS,
                Effect.ACTS,
                ObjectSchema.ofArguments()
                        .required("type", text("What has happened, such as com.example.order.paid."))
                        .optional("source", text("Where; 'mcp' where it is missing."))
                        .optional("subject", text("What it is about."))
                        .optional("id", text("Its id; a new one where it is missing."))
                        .optional("data", any("What there is to say about it."))
                        .inProject(),
                ObjectSchema.ofResult().required("accepted", some("integer", "How many are on their way.")),
                Tool.request(call -> ApiRequest.post("/v1/events")
                        .with("project", call.inProject())
                        .body(event(call), EVENT)));
    }

    private static ObjectNode event(ToolCall call) {
        ObjectNode event = call.arguments()
                .body(Map.of("type", "type", "subject", "subject", "data", "data"))
                .put("specversion", "1.0")
                .put("source", call.arguments().or("source", "mcp"));
        return event.put("id", call.arguments().or("id", call.reference()));
    }

    private static ObjectSchema row(String name, String description) {
        return ObjectSchema.ofResult().required(name, some("string", description));
    }

    private static ObjectSchema process() {
        return row("id", "The id of the process; of the task where an agent asked.");
    }
}
