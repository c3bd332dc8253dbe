package dev.parley.domain.definition;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.parley.domain.JsonWriter;
import dev.parley.domain.json.JsonBounds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/** Tool arguments preset by a skill: defaults for what the model omits, or locked values that it cannot set. */
public final class SkillArguments {
    private static final JsonFactory JSON = JsonBounds.STORED.factory();

    private SkillArguments() {}

    /** Whether the arguments of a call cannot be parsed unambiguously, so that locked arguments cannot be enforced. */
    public static boolean isUnclear(String arguments, SkillTool link) {
        return link.locked() && !arguments.isBlank() && members(arguments).isEmpty();
    }

    /** The arguments of a call with the skill's arguments added; unchanged if they are not a JSON object. */
    public static String addTo(String arguments, SkillTool link) {
        SequencedMap<String, String> skillArguments = members(link.arguments()).orElseThrow();
        var merged =
                members(arguments.isBlank() ? SkillTool.NOTHING : arguments).orElse(null);
        if (merged == null || skillArguments.isEmpty()) {
            return arguments;
        }
        skillArguments.forEach(link.locked() ? merged::put : merged::putIfAbsent);
        return json(merged);
    }

    /** The tool as shown to the model, without locked arguments. */
    static ToolSpec hideLocked(ToolSpec tool, SkillTool link) {
        SequencedMap<String, String> skillArguments = members(link.arguments()).orElseThrow();
        var schema = members(tool.parameters()).orElse(null);
        if (schema == null || skillArguments.isEmpty()) {
            return tool;
        }
        schema.computeIfPresent("properties", (_, properties) -> {
            var open = members(properties).orElseGet(LinkedHashMap::new);
            open.keySet().removeAll(skillArguments.keySet());
            return json(open);
        });
        schema.computeIfPresent(
                "required",
                (_, required) ->
                        without(required, skillArguments.keySet().stream().toList()));
        String fixed = skillArguments.entrySet().stream()
                .map(argument -> argument.getKey() + " = " + argument.getValue())
                .collect(Collectors.joining(", "));
        return tool.withDescription(
                tool.description() + " Every call has " + fixed + "; this cannot be changed.", json(schema));
    }

    private static String without(String array, List<String> names) {
        var remaining = new ArrayList<String>();
        try (JsonParser parser = JSON.createParser(array)) {
            while (parser.nextToken() != null) {
                if (parser.currentToken() == JsonToken.VALUE_STRING && !names.contains(parser.getText())) {
                    remaining.add(parser.getText());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("it was read before", e);
        }
        return JsonWriter.text(json -> {
            json.writeStartArray();
            for (String name : remaining) {
                json.writeString(name);
            }
            json.writeEndArray();
        });
    }

    /** The members of a JSON object as raw JSON; empty if the text is not an object. */
    static Optional<SequencedMap<String, String>> members(String json) {
        var members = new LinkedHashMap<String, String>();
        try (JsonParser parser = JSON.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                int start = (int) parser.currentTokenLocation().getCharOffset();
                parser.skipChildren();
                parser.finishToken();
                members.put(name, json.substring(start, (int)
                        parser.currentLocation().getCharOffset()));
            }
            boolean isComplete = parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null;
            return isComplete ? Optional.of(members) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static String json(Map<String, String> members) {
        return JsonWriter.text(json -> {
            json.writeStartObject();
            for (var member : members.entrySet()) {
                json.writeFieldName(member.getKey());
                json.writeRawValue(member.getValue());
            }
            json.writeEndObject();
        });
    }
}
