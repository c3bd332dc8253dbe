package dev.parley.mcp;

import static dev.parley.mcp.ObjectSchema.choice;
import static dev.parley.mcp.ObjectSchema.flag;
import static dev.parley.mcp.ObjectSchema.integer;
import static dev.parley.mcp.ObjectSchema.nullable;
import static dev.parley.mcp.ObjectSchema.some;
import static dev.parley.mcp.ObjectSchema.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.mcp.Tool.Effect;
import dev.parley.platform.api.ApiRequest;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** MCP tools for agents and sessions. */
final class SessionTools {
    private static final Set<String> CONTROL = Set.of("control");
    private static final Set<String> SESSIONS = Set.of("sessions");
    private static final Set<String> CHANNELS = Set.of("channels");
    private static final Set<String> TURNS = Set.of("channels", "sessions");

    private static final int MAX_TEXT = 1 << 20;
    private static final String SESSION = "The key of the session.";
    private static final String TURN_ID = "The id of the turn.";

    private SessionTools() {}

    static List<Tool> all() {
        return List.of(
                listAgents(), listSessions(), readSession(), searchSessions(), ask(), getTurn(), approve(), cancel());
    }

    private static Tool listAgents() {
        return new Tool(
                "list_agents",
                "List agents",
                "Lists the agents of a project: what each is for, and its model. Their names are what ask_agent takes.",
                CONTROL,
                Effect.READS,
                ObjectSchema.ofArguments().inProject().paged(),
                ObjectSchema.page(
                        "The agents.", ObjectSchema.ofResult().required("name", some("string", "The agent's name."))),
                Tool.request(call -> paged(call, ApiRequest.get("/v1/projects/{}/agents", call.inProject()))));
    }

    private static Tool listSessions() {
        return new Tool(
                "list_sessions",
                "List sessions",
                "Lists the caller's conversations with agents, the newest first: key, title, agent, status, counts.",
                SESSIONS,
                Effect.READS,
                ObjectSchema.ofArguments()
                        .optional("status", choice("Only those.", List.of("active", "archived")))
                        .optional("channel", text("Only those of this channel, such as api or telegram."))
                        .inProject()
                        .paged(),
                ObjectSchema.page(
                        "The sessions.",
                        ObjectSchema.ofResult()
                                .required("key", some("string", SESSION))
                                .required("title", some("string", "Its title."))),
                Tool.request(call -> paged(call, ApiRequest.get("/v1/projects/{}/sessions", call.inProject()))
                        .with("status", call.arguments().maybe("status"))
                        .with("channel", call.arguments().maybe("channel"))));
    }

    private static Tool readSession() {
        return new Tool(
                "read_session",
                "Read a session",
                "Reads the messages of a session with their parts: texts, calls of tools and what they gave, files.",
                SESSIONS,
                Effect.READS,
                ObjectSchema.ofArguments()
                        .required("session", text(SESSION))
                        .optional(
                                "order",
                                choice("desc, the newest first, where it is missing; or asc.", List.of("asc", "desc")))
                        .inProject()
                        .paged(),
                ObjectSchema.page(
                        "The messages.",
                        ObjectSchema.ofResult()
                                .required("role", some("string", "Who says it: user, assistant, tool."))),
                Tool.request(call -> paged(
                                call,
                                ApiRequest.get(
                                        "/v1/projects/{}/sessions/{}/messages",
                                        call.inProject(),
                                        call.arguments().text("session")))
                        .with("order", call.arguments().or("order", "desc"))));
    }

    private static Tool searchSessions() {
        return new Tool(
                "search_sessions",
                "Search sessions",
                "Searches what was said in sessions, the best hits first. All words must be there; \"a phrase\" in this order; "
                        + "begin* for words that begin so.",
                SESSIONS,
                Effect.READS,
                ObjectSchema.ofArguments()
                        .required("query", text("What to look for."))
                        .optional("tools", flag("true: also in calls of tools and what they gave."))
                        .inProject()
                        .paged(),
                ObjectSchema.page(
                        "The hits.",
                        ObjectSchema.ofResult().required("snippet", some("string", "The text around the first word."))),
                Tool.request(call -> paged(call, ApiRequest.get("/v1/projects/{}/search", call.inProject()))
                        .with("q", call.arguments().text("query"))
                        .with("tools", call.arguments().maybe("tools"))));
    }

    private static Tool ask() {
        return new Tool(
                "ask_agent",
                "Ask an agent",
                "Says something to an agent and waits for its reply. Without a session it begins one; with one the agent knows "
                        + "what was said in it. Where the turn lasts longer, or waits for a person, the result has done: false and "
                        + "says how to go on: get_turn looks at it later. The turn goes on meanwhile, also when this call is cancelled.",
                TURNS,
                Effect.ACTS,
                ObjectSchema.ofArguments()
                        .required("text", text("What is said.", MAX_TEXT))
                        .optional("agent", text("The agent's name; without it the session's, or the default one."))
                        .optional("session", text("The key of the session; without it a new one."))
                        .optional("wait_seconds", wait("How long to wait for the reply; 45, or 300 with progress"))
                        .inProject()
                        .once(),
                turn(),
                TurnRun::ask);
    }

    private static Tool getTurn() {
        return new Tool(
                "get_turn",
                "Look at a turn",
                "How far a turn is that ask_agent began: its reply where it is done, or what it waits for.",
                TURNS,
                Effect.READS,
                ObjectSchema.ofArguments()
                        .required("session", text(SESSION))
                        .required("turn", text(TURN_ID))
                        .optional("wait_seconds", wait("How long to wait for its end; 0 where it is missing"))
                        .inProject(),
                turn(),
                TurnRun::show);
    }

    private static Tool approve() {
        return new Tool(
                "answer_approval",
                "Answer an approval",
                "Answers whether an agent may use a tool, as 'waiting_for' of a turn asks. Ask the person before you allow anything: "
                        + "the answer is given in their name. Then look at the turn with get_turn.",
                CHANNELS,
                Effect.ACTS,
                ObjectSchema.ofArguments()
                        .required("session", text(SESSION))
                        .required("approval", text("The id of the question."))
                        .required(
                                "answer",
                                choice(
                                        "once: this call; session, project, host: whatever is the same there; reject: not this call.",
                                        List.of("once", "session", "project", "host", "reject")))
                        .inProject(),
                accepted(),
                Tool.request(call -> ApiRequest.post(
                                "/v1/projects/{}/sessions/{}/approvals/{}",
                                call.inProject(),
                                call.arguments().text("session"),
                                call.arguments().text("approval"))
                        .body(call.arguments().body(Map.of("answer", "answer")))));
    }

    private static Tool cancel() {
        return new Tool(
                "cancel_turn",
                "Cancel a turn",
                "Ends a turn that runs or waits; what the agent has said so far is kept.",
                CHANNELS,
                Effect.ENDS,
                ObjectSchema.ofArguments()
                        .required("session", text(SESSION))
                        .required("turn", text(TURN_ID))
                        .inProject(),
                accepted(),
                Tool.request(call -> ApiRequest.post(
                        "/v1/projects/{}/sessions/{}/turns/{}/cancel",
                        call.inProject(),
                        call.arguments().text("session"),
                        call.arguments().text("turn"))));
    }

    /** A page of a list. */
    static ApiRequest paged(ToolCall call, ApiRequest request) {
        return request.with("limit", call.arguments().or("limit", "50"))
                .with("cursor", call.arguments().maybe("cursor"));
    }

    /** How long a call waits. */
    static ObjectNode wait(String description) {
        return integer(description + "; at most 600.", 0, TurnRun.LONGEST_WAIT.toSeconds());
    }

    private static ObjectSchema accepted() {
        return ObjectSchema.ofResult().required("accepted", some("boolean", "It is being done."));
    }

    private static ObjectSchema turn() {
        return ObjectSchema.ofResult()
                .required("project", some("string", "The key of its project."))
                .required("session", some("string", SESSION))
                .required("turn", some("string", TURN_ID))
                .required("state", some("string", "Where it stands, such as COMPLETED or WAITING_APPROVAL."))
                .required("done", some("boolean", "Whether it has ended."))
                .required("reply", some("string", "The reply; empty while there is none."))
                .optional("model", nullable("string", "The model that answered."))
                .optional(
                        "waiting_for",
                        ObjectSchema.list(
                                ObjectSchema.ofResult()
                                        .required("approval", some("string", "The id of the question."))
                                        .required("question", some("string", "What is asked."))
                                        .json(),
                                "What people are asked."))
                .optional("next", some("string", "What to do while it is not done."));
    }
}
