package dev.parley.channels.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.regex.Pattern;

/**
 * Names the operations of definitions in hosts. One method serves a project and its host, so the annotation processor
 * gives both the same id and numbers the second: {@code listAgents} is that of the project, {@code listHostAgents} that
 * of the host.
 */
final class HostOperations {
    private static final String VERSION = "/v1";
    private static final Pattern DEFINITIONS =
            Pattern.compile(VERSION + "/(agents|permissions|skills|skill-tree|tools)\\b.*");
    private static final String ID = "operationId";

    private HostOperations() {}

    static void name(ObjectNode document) {
        JsonNode paths = document.path("paths");
        paths.properties().stream()
                .filter(route -> DEFINITIONS.matcher(route.getKey()).matches())
                .forEach(route -> route.getValue().properties().forEach(operation -> {
                    String project =
                            VERSION + "/projects/{project}" + route.getKey().substring(VERSION.length());
                    if (paths.path(project).path(operation.getKey()) instanceof ObjectNode twin) {
                        String id = twin.path(ID).asText().replaceFirst("_\\d+$", "");
                        twin.put(ID, id);
                        ((ObjectNode) operation.getValue()).put(ID, id.replaceFirst("^[a-z]+", "$0Host"));
                    }
                }));
    }
}
