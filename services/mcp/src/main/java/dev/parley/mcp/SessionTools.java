package dev.parley.mcp;

import static dev.parley.mcp.ObjectSchema.choice;
import static dev.parley.mcp.ObjectSchema.field;
import static dev.parley.mcp.ObjectSchema.flag;
import static dev.parley.mcp.ObjectSchema.integer;
import static dev.parley.mcp.ObjectSchema.nullable;
import static dev.parley.mcp.ObjectSchema.ofResultWith;
import static dev.parley.mcp.ObjectSchema.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.mcp.McpTool.Effect;
import dev.parley.platform.api.ApiRequest;
import dev.parley.platform.http.AuditComment;
import java.util.List;
import java.util.Set;

/** MCP tools for agents and sessions. */
final class SessionTools {
    private static final Set<String> CONTROL = Set.of("control");
    private static final Set<String> SESSIONS = Set.of("sessions");
    private static final Set<String> CHANNELS = Set.of("channels");
    private static final Set<String> TURNS = Set.of("channels", "sessions");

    private static final int MAX_TEXT = 1 << 20;
    private static final String SESSION = "Key of the session.";
    private static final String TURN_ID = "Id of the turn.";

    private SessionTools() {}

    static List<McpTool> all() {
        return List.of(
                listAgents(), listSessions(), readSession(), searchSessions(), ask(), getTurn(), approve(), cancel());
    }

    private static McpTool listAgents() {
        return new McpTool(
                "list_agents",
                "List agents",
                "Lists the agents of a project, with their purpose and model. ask_agent takes their names.",
                CONTROL,
                Effect.READS,
                ObjectSchema.ofArguments().inProject().paged(),
                ObjectSchema.page("The agents.", ofResultWith("name", "Name of the agent.")),
                McpTool.request(call -> addPaging(call, ApiRequest.get("/v1/projects/{}/agents", call.inProject()))));
    }

    private static McpTool listSessions() {
        return new McpTool(
                "list_sessions",
                "List sessions",
                "Lists the caller's conversations with agents, newest first: key, title, agent, status "
                        + "and counts.",
                SESSIONS,
                Effect.READS,
                ObjectSchema.ofArguments()
                        .optional("status", choice("Only sessions with this status.", List.of("active", "archived")))
                        .optional("channel", text("Only sessions of this channel, such as api or telegram."))
                        .inProject()
                        .paged(),
                ObjectSchema.page(
                        "The sessions.",
                        ofResultWith("key", SESSION).required("title", field("string", "Title of the session."))),
                McpTool.request(call -> addPaging(call, ApiRequest.get("/v1/projects/{}/sessions", call.inProject()))
                        .with("status", call.arguments().maybe("status"))
                        .with("channel", call.arguments().maybe("channel"))));
    }

    private static McpTool readSession() {
        return new McpTool(
                "read_session",
                "Read a session",
                "Reads the messages of a session with their parts: texts, tool calls with their "
                        + "results, and files.",
                SESSIONS,
                Effect.READS,
                ObjectSchema.ofArguments()
                        .required("session", text(SESSION))
                        .optional(
                                "order",
                                choice(
                                        "Order of the messages: desc (newest first) or asc. Defaults to desc.",
                                        List.of("asc", "desc")))
                        .inProject()
                        .paged(),
                ObjectSchema.page(
                        "The messages.", ofResultWith("role", "Role of the message: user, assistant or tool.")),
                McpTool.request(SessionTools::messagesRequest));
    }

    private static ApiRequest messagesRequest(McpToolCall call) {
        ApiRequest messages = ApiRequest.get(
                "/v1/projects/{}/sessions/{}/messages",
                call.inProject(),
                call.arguments().text("session"));
        return addPaging(call, messages).with("order", call.arguments().or("order", "desc"));
    }

    private static McpTool searchSessions() {
        return new McpTool(
                "search_sessions",
                "Search sessions",
                "Searches the messages of sessions, best hits first. All words must match; \"a "
                        + "phrase\" matches in this order; begin* matches prefixes.",
                SESSIONS,
                Effect.READS,
                ObjectSchema.ofArguments()
                        .required("query", text("Text to search for."))
                        .optional("tools", flag("True to search tool calls and their results, too. Defaults to false."))
                        .inProject()
                        .paged(),
                ObjectSchema.page("The hits.", ofResultWith("snippet", "Text around the first matching word.")),
                McpTool.request(call -> addPaging(call, ApiRequest.get("/v1/projects/{}/search", call.inProject()))
                        .with("q", call.arguments().text("query"))
                        .with("tools", call.arguments().maybe("tools"))));
    }

    private static McpTool ask() {
        return new McpTool(
                "ask_agent",
                "Ask an agent",
                "Sends a message to an agent and waits for its reply. Without a session it starts a "
                        + "new one; in an existing session the agent knows the earlier messages. If the turn "
                        + "takes longer or waits for a person, the result has done: false and says how to "
                        + "continue: get_turn returns the turn later. The turn continues meanwhile, even if this "
                        + "call is cancelled.",
                TURNS,
                Effect.ACTS,
                ObjectSchema.ofArguments()
                        .required("text", text("Message to the agent.", MAX_TEXT))
                        .optional(
                                "agent",
                                text("Name of the agent. Defaults to the agent of the session, or the default agent."))
                        .optional("session", text("Key of the session. Defaults to a new session."))
                        .optional(
                                "wait_seconds",
                                wait("Seconds to wait for the reply. Defaults to 45, or 300 with progress"))
                        .inProject()
                        .once(),
                turn(),
                TurnRun::ask);
    }

    private static McpTool getTurn() {
        return new McpTool(
                "get_turn",
                "Look at a turn",
                "Returns the state of a turn that ask_agent started: its reply if it is done, "
                        + "otherwise what it waits for.",
                TURNS,
                Effect.READS,
                ObjectSchema.ofArguments()
                        .required("session", text(SESSION))
                        .required("turn", text(TURN_ID))
                        .optional("wait_seconds", wait("Seconds to wait for the end of the turn. Defaults to 0"))
                        .inProject(),
                turn(),
                TurnRun::show);
    }

    private static McpTool approve() {
        return new McpTool(
                "answer_approval",
                "Answer an approval",
                "Decides whether an agent may use a tool, as asked in 'waiting_for' of a turn. Ask the "
                        + "person before you allow anything: the answer is given in their name. Then check the "
                        + "turn with get_turn.",
                CHANNELS,
                Effect.ACTS,
                ObjectSchema.ofArguments()
                        .required("session", text(SESSION))
                        .required("approval", text("Id of the approval."))
                        .required(
                                "answer",
                                choice(
                                        "Decision: once allows this call; session, project and host also allow "
                                                + "the same there; reject denies this call.",
                                        List.of("once", "session", "project", "host", "reject")))
                        .inProject(),
                acceptedSchema(),
                McpTool.request(SessionTools::approvalRequest));
    }

    private static ApiRequest approvalRequest(McpToolCall call) {
        return ApiRequest.post(
                        "/v1/projects/{}/sessions/{}/approvals/{}",
                        call.inProject(),
                        call.arguments().text("session"),
                        call.arguments().text("approval"))
                .body(call.arguments().body("answer"));
    }

    private static McpTool cancel() {
        return new McpTool(
                "cancel_turn",
                "Cancel a turn",
                "Cancels a running or waiting turn; its partial reply is kept.",
                CHANNELS,
                Effect.ENDS,
                ObjectSchema.ofArguments()
                        .required("session", text(SESSION))
                        .required("turn", text(TURN_ID))
                        .optional("reason", text("Reason, for the audit log.", AuditComment.MAX_LENGTH))
                        .inProject(),
                acceptedSchema(),
                McpTool.request(call -> ApiRequest.post(
                                "/v1/projects/{}/sessions/{}/turns/{}/cancel",
                                call.inProject(),
                                call.arguments().text("session"),
                                call.arguments().text("turn"))
                        .body(call.arguments().body("reason"))));
    }

    /** A page of a list. */
    static ApiRequest addPaging(McpToolCall call, ApiRequest request) {
        return request.with("limit", call.arguments().or("limit", "50"))
                .with("cursor", call.arguments().maybe("cursor"));
    }

    /** Schema of the maximum wait of a call, in seconds. */
    static ObjectNode wait(String description) {
        return integer(description + "; at most 600.", 0, TurnRun.LONGEST_WAIT.toSeconds());
    }

    private static ObjectSchema acceptedSchema() {
        return ObjectSchema.ofResult().required("accepted", field("boolean", "True if the request was accepted."));
    }

    private static ObjectSchema turn() {
        return ObjectSchema.ofResult()
                .required("project", field("string", "Key of the project."))
                .required("session", field("string", SESSION))
                .required("turn", field("string", TURN_ID))
                .required("state", field("string", "State of the turn, such as COMPLETED or WAITING_APPROVAL."))
                .required("done", field("boolean", "True if the turn has ended."))
                .required("reply", field("string", "Reply of the agent; empty until there is one."))
                .optional("model", nullable("string", "Model that answered, or null."))
                .optional(
                        "waiting_for",
                        ObjectSchema.list(
                                ObjectSchema.ofResult()
                                        .required("approval", field("string", "Id of the approval."))
                                        .required("question", field("string", "Text of the question."))
                                        .json(),
                                "Questions that wait for a person."))
                .optional("next", field("string", "Next step while the turn is not done."));
    }
}
