package dev.parley.agents.model.anthropic;

import dev.parley.agents.model.wire.StreamedText;
import dev.parley.agents.model.wire.VerbatimJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A content block assembled from stream deltas. The complete block is the JSON text of its start with only the extended
 * members replaced.
 */
final class StreamedBlock {
    private final VerbatimJson initial;
    private final StreamedText pieces = new StreamedText();
    /** JSON strings in their escaped form without quotes, so that the halves of an escaped surrogate pair join. */
    private final Map<String, StringBuilder> strings = new HashMap<>();

    private final StringBuilder input = new StringBuilder();
    private final List<String> citations = new ArrayList<>();
    private final String id;
    private String gap = "";

    /** @param id replaces the id of the block */
    StreamedBlock(VerbatimJson initial, String id) {
        this.initial = initial;
        this.id = id;
    }

    String type() {
        return initial.at("type").string();
    }

    String id() {
        return id;
    }

    String name() {
        return initial.at("name").string();
    }

    /** The separator from the preceding text. */
    String gap() {
        return gap;
    }

    void gap(String between) {
        gap = between;
    }

    StreamedText pieces() {
        return pieces;
    }

    /** The arguments so far, as the model wrote them. */
    String arguments() {
        VerbatimJson first = initial.at("input");
        return !input.isEmpty()
                ? StreamedText.replaceUnpairedSurrogates(input.toString())
                : first.isPresent() ? first.text() : "{}";
    }

    /** Whether there are no arguments yet. */
    boolean hasNoArguments() {
        return input.isEmpty() && initial.at("input").members().isEmpty();
    }

    /** Adds a delta; unknown types are ignored. */
    void add(VerbatimJson delta) {
        switch (delta.at("type").string()) {
            case "text_delta" -> append("text", delta);
            case "thinking_delta" -> append("thinking", delta);
            case "signature_delta" -> append("signature", delta);
            case "input_json_delta" -> input.append(delta.at("partial_json").string());
            case "citations_delta" -> citations.add(delta.at("citation").text());
            default -> {}
        }
    }

    private void append(String member, VerbatimJson delta) {
        VerbatimJson piece = delta.at(member);
        if (piece.isString()) {
            strings.computeIfAbsent(member, _ -> new StringBuilder(inner(initial.at(member))))
                    .append(inner(piece));
        }
    }

    private static String inner(VerbatimJson string) {
        return string.isString() ? string.text().substring(1, string.text().length() - 1) : "";
    }

    /** The complete block. */
    VerbatimJson assemble() throws IOException {
        var changed = new LinkedHashMap<String, String>();
        if (!id.equals(initial.at("id").string())) {
            changed.put("id", '"' + id + '"');
        }
        strings.forEach((member, text) -> changed.put(member, '"' + text.toString() + '"'));
        if (!input.isEmpty()
                || (type().equals("tool_use")
                        && !VerbatimJson.isObject(initial.at("input").text()))) {
            changed.put("input", ToolInput.of(arguments()));
        }
        if (!citations.isEmpty()) {
            initial.at("citations").items().reversed().forEach(first -> citations.addFirst(first.text()));
            changed.put("citations", "[" + String.join(",", citations) + "]");
        }
        return changed.isEmpty() ? initial : VerbatimJson.parse(initial.with(changed));
    }
}
