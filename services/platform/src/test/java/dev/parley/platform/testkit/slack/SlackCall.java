package dev.parley.platform.testkit.slack;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A call of the API.
 *
 * @param params each a text
 */
public record SlackCall(String method, JsonNode params) {}
