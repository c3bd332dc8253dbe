package dev.parley.channels.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.regex.Pattern;

/** Gives texts that come from Javadoc the form that they have in an OpenAPI document. */
final class JavadocTexts {
    private static final String SUMMARY = "summary";
    private static final String DESCRIPTION = "description";
    private static final Pattern NUMBER = Pattern.compile("_\\d+$");

    private JavadocTexts() {}

    /**
     * Puts each text on one line, and separates the first sentence of an operation, which is its summary, from its
     * description.
     */
    static void format(ObjectNode document) {
        putTextsOnOneLine(document);
        document.path("paths")
                .forEach(route -> route.forEach(operation -> {
                    if (operation instanceof ObjectNode node) {
                        separateSummary(node);
                        removeNumberOfId(node);
                    }
                }));
    }

    private static void putTextsOnOneLine(JsonNode node) {
        for (String field : List.of(SUMMARY, DESCRIPTION)) {
            if (node.path(field).isTextual()) {
                ((ObjectNode) node).put(field, onOneLine(node.path(field).asText()));
            }
        }
        node.forEach(JavadocTexts::putTextsOnOneLine);
    }

    /** The annotation processor makes HTML of {@code code}. */
    private static String onOneLine(String text) {
        return text.replaceAll("</?code>", "`").replaceAll("\\s+", " ").strip();
    }

    private static void separateSummary(ObjectNode operation) {
        String summary = operation.path(SUMMARY).asText();
        String description = operation.path(DESCRIPTION).asText();
        if (!description.startsWith(summary) || !(summary.endsWith(".") || summary.equals(description))) {
            return;
        }
        String rest = description.substring(summary.length()).strip();
        if (rest.isEmpty()) {
            operation.remove(DESCRIPTION);
        } else {
            operation.put(DESCRIPTION, rest);
        }
        operation.put(SUMMARY, summary.replaceFirst("\\.$", ""));
    }

    /** The annotation processor numbers equal operation ids, and does so in the texts of their responses too. */
    private static void removeNumberOfId(ObjectNode operation) {
        String id = operation.path("operationId").asText();
        if (NUMBER.matcher(id).find()) {
            String name = NUMBER.matcher(id).replaceFirst("");
            operation
                    .path("responses")
                    .findParents(DESCRIPTION)
                    .forEach(response -> ((ObjectNode) response)
                            .put(
                                    DESCRIPTION,
                                    response.path(DESCRIPTION).asText().replace(id, name)));
        }
    }
}
