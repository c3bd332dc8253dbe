package dev.parley.channels.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Names the schema of a page after its items. The annotation processor numbers pages in each module, so that the page of
 * one module would take the place of another's.
 */
final class PageSchemas {
    private static final Pattern NUMBERED = Pattern.compile("Page(_\\d+)?");
    private static final String SCHEMAS = "#/components/schemas/";
    private static final String REFERENCE = "$ref";

    private PageSchemas() {}

    /** @param part the document of a module */
    static void name(ObjectNode part) {
        if (part.at("/components/schemas") instanceof ObjectNode schemas) {
            List<String> pages = schemas.propertyStream()
                    .map(Map.Entry::getKey)
                    .filter(name -> NUMBERED.matcher(name).matches())
                    .toList();
            pages.forEach(page -> name(page, schemas, part));
        }
    }

    private static void name(String page, ObjectNode schemas, ObjectNode part) {
        String item = schemas.path(page).at("/properties/data/items/$ref").asText();
        if (item.startsWith(SCHEMAS)) {
            String name = "PageOf" + item.substring(SCHEMAS.length());
            schemas.set(name, schemas.remove(page));
            replaceReferences(part, SCHEMAS + page, SCHEMAS + name);
        }
    }

    private static void replaceReferences(JsonNode node, String from, String to) {
        if (node.path(REFERENCE).asText().equals(from)) {
            ((ObjectNode) node).put(REFERENCE, to);
        }
        node.forEach(child -> replaceReferences(child, from, to));
    }
}
