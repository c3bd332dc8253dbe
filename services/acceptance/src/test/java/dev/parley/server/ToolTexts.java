package dev.parley.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** How a tool is described to models: a verb in the third person first, plain sentences, every argument explained. */
final class ToolTexts {
    private static final Pattern DESCRIPTION = Pattern.compile("[A-Z][a-z]+s\\b.{5,500}", Pattern.DOTALL);
    private static final Pattern ARGUMENT = Pattern.compile("[A-Z].{3,230}\\.");

    /** Ways of saying "by default", "returns" and "must not", each of which has one form here. */
    private static final Pattern OTHER_WORDS = Pattern.compile(
            "(?i)without it\\b|where it is missing|when omitted|what it (says|finds|gave)|^says\\b|need not\\b"
                    + "|\\bgives\\b|^it\\b|goes on");

    private ToolTexts() {}

    /** What is wrong with the description of a tool and of its arguments. */
    static List<String> faults(String name, String description, JsonNode parameters) {
        var faults = new ArrayList<String>();
        if (!DESCRIPTION.matcher(description).matches()
                || OTHER_WORDS.matcher(description).find()) {
            faults.add(name + ": " + description);
        }
        for (Map.Entry<String, JsonNode> argument :
                parameters.path("properties").properties()) {
            String text = argument.getValue().path("description").asText();
            if (!ARGUMENT.matcher(text).matches() || OTHER_WORDS.matcher(text).find()) {
                // A list explains its items.
                JsonNode items = argument.getValue().path("items").path("properties");
                if (items.isEmpty()) {
                    faults.add(name + "." + argument.getKey() + ": " + text);
                }
            }
            faults.addAll(arguments(
                    name + "." + argument.getKey(), argument.getValue().path("items")));
        }
        return faults;
    }

    private static List<String> arguments(String name, JsonNode schema) {
        return schema.path("properties").properties().stream()
                .filter(argument -> !ARGUMENT.matcher(
                                argument.getValue().path("description").asText())
                        .matches())
                .map(argument -> name + "." + argument.getKey() + ": "
                        + argument.getValue().path("description").asText())
                .toList();
    }
}
