package dev.parley.server.canary;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Turns and messages of a session, as the API returns them. */
final class ObservedSession {
    private ObservedSession() {}

    /**
     * A turn.
     *
     * @param state as in the API
     */
    record Turn(String id, String state, String text, String reply, String error) {
        static Turn of(JsonNode json) {
            return new Turn(
                    json.path("id").asText(),
                    json.path("state").asText(),
                    json.path("text").asText(),
                    json.path("reply").asText(),
                    json.path("error").path("message").asText(""));
        }

        boolean hasEnded() {
            return isCompleted() || state.equals("FAILED") || state.equals("CANCELLED");
        }

        boolean isCompleted() {
            return state.equals("COMPLETED");
        }
    }

    /**
     * A message.
     *
     * @param turn the id of its turn, or empty
     */
    record Message(String turn, String role, String text, String finish) {
        static Message of(JsonNode json) {
            return new Message(
                    json.path("turn").asText(""),
                    json.path("role").asText(),
                    StreamSupport.stream(json.path("parts").spliterator(), false)
                            .filter(part -> part.path("kind").asText().equals("text"))
                            .map(part -> part.path("text").asText())
                            .collect(Collectors.joining()),
                    json.path("finishReason").asText(""));
        }

        boolean isUsers() {
            return role.equals("user");
        }

        /** Whether this is the final message of a turn, not one with tool calls. */
        boolean isFinal() {
            return role.equals("assistant") && !finish.isEmpty() && !finish.equals("tool-calls");
        }
    }
}
