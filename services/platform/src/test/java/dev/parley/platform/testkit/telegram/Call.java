package dev.parley.platform.testkit.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/**
 * A call of a method.
 *
 * @param params as received; a file is {@code {"file": name, "size": bytes}}
 * @param status the HTTP status; 0 if the connection was cut, -1 while the call runs
 * @param description the error's text, empty without one
 * @param result null in JSON without one
 */
public record Call(
        Bot bot, String method, ObjectNode params, Instant at, int status, String description, JsonNode result) {
    /** Whether it succeeded. */
    public boolean ok() {
        return status == 200;
    }

    Call ended(int status, String description, JsonNode result) {
        return new Call(bot, method, params, at, status, description, result);
    }
}
