package dev.parley.platform.testkit.teams;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A call of the connector.
 *
 * @param path without the base
 */
public record TeamsCall(String method, String path, JsonNode body) {}
