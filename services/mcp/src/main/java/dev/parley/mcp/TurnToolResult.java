package dev.parley.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.Set;

/** A turn as tools return it. */
final class TurnToolResult {
    /** The state of a turn that waits for a person's answer. */
    static final String WAITING = "WAITING_APPROVAL";

    private static final Set<String> ENDS = Set.of("COMPLETED", "FAILED", "CANCELLED");

    private TurnToolResult() {}

    /** Whether a turn of this state has ended. */
    static boolean isEnd(String state) {
        return ENDS.contains(state);
    }

    /** A turn that has ended. A failed or cancelled turn is an error. */
    static ToolResult of(String project, ObjectNode turn) {
        String state = turn.path("state").asText();
        return state.equals("COMPLETED")
                ? new ToolResult.Structured(turnJson(project, turn, true))
                : new ToolResult.Failed(failure(state, turn));
    }

    private static String failure(String state, ObjectNode turn) {
        JsonNode error = turn.path("error");
        String reason = error.isObject()
                ? " %s (%s)."
                        .formatted(
                                error.path("message").asText().replaceAll("\\.$", ""),
                                error.path("type").asText())
                : "";
        return "The turn %s of the session %s %s.%s Its messages stay in the session: ask again there, or in another session."
                .formatted(
                        turn.path("id").asText(),
                        turn.path("session").asText(),
                        state.equals("FAILED") ? "has failed" : "was cancelled",
                        reason);
    }

    /** A running turn. */
    static ToolResult open(String project, ObjectNode turn) {
        return new ToolResult.Structured(
                turnJson(project, turn, false)
                        .put(
                                "next",
                                "The turn goes on. Call get_turn with this session and turn later, with wait_seconds to wait for its end."));
    }

    /**
     * A turn that waits for a person.
     *
     * @param questions its pending approvals
     */
    static ToolResult waiting(String project, ObjectNode turn, ObjectNode questions) {
        ObjectNode json = turnJson(project, turn, false);
        json.put("state", WAITING);
        json.set("waiting_for", questions.path("data"));
        return new ToolResult.Structured(json.put(
                "next",
                "A person has to answer: show them what waiting_for has, and let them answer in Parley, or give their answer with "
                        + "answer_approval if it is available. Then call get_turn with this session and turn."));
    }

    /** The approvals of a turn in an API list. */
    static ObjectNode questions(Optional<ObjectNode> list, String turn) {
        ObjectNode json = McpJson.object();
        var data = json.putArray("data");
        list.ifPresent(page -> page.path("data").forEach(approval -> {
            if (approval.path("turn").asText().equals(turn)) {
                data.addObject()
                        .put("approval", approval.path("id").asText())
                        .put(
                                "question",
                                "May the agent use " + approval.path("tool").asText() + "?")
                        .put("tool", approval.path("tool").asText())
                        .put("arguments", approval.path("arguments").asText(""))
                        .put("expires", approval.path("expiresAt").asText(""));
            }
        }));
        return json;
    }

    private static ObjectNode turnJson(String project, ObjectNode turn, boolean done) {
        ObjectNode json = McpJson.object()
                .put("project", project)
                .put("session", turn.path("session").asText())
                .put("turn", turn.path("id").asText())
                .put("state", turn.path("state").asText())
                .put("done", done)
                .put("reply", turn.path("reply").asText(""));
        json.set("model", turn.get("model"));
        json.set("usage", turn.get("usage"));
        return json;
    }
}
