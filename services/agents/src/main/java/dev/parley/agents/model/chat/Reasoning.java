package dev.parley.agents.model.chat;

import dev.parley.agents.model.wire.JsonOut;
import dev.parley.agents.model.wire.StreamedText;
import dev.parley.agents.model.wire.VerbatimJson;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.ProviderItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The reasoning of an answer, under any of the member names that servers use. */
final class Reasoning {
    static final String DETAILS = "reasoning_details";
    private static final List<String> TEXTS = List.of("reasoning_content", "reasoning");
    private static final Set<String> IN_PIECES = Set.of("text", "summary");

    private final StreamedText text = new StreamedText();
    private final List<Detail> details = new ArrayList<>();
    private String name = "";

    /** Adds the reasoning of a delta, and returns the text that can be shown. */
    String add(VerbatimJson delta) {
        String piece = "";
        for (String candidate : TEXTS) {
            if (piece.isEmpty() && !delta.at(candidate).string().isEmpty()) {
                piece = delta.at(candidate).string();
                name = candidate;
            }
        }
        List<VerbatimJson> newDetails = delta.at(DETAILS).items();
        newDetails.forEach(this::addDetail);
        if (piece.isEmpty()) {
            piece = newDetails.stream()
                    .flatMap(detail -> Stream.of(detail.at("text"), detail.at("summary")))
                    .map(VerbatimJson::string)
                    .collect(Collectors.joining());
        }
        return text.add(piece);
    }

    /** Adds reasoning that came in the content, and returns the text that can be shown. It is not sent back. */
    String add(String piece) {
        return text.add(piece);
    }

    boolean isEmpty() {
        return text.isEmpty() && details.isEmpty();
    }

    private void addDetail(VerbatimJson piece) {
        Detail existing = details.stream()
                .filter(detail -> detail.continuesWith(piece))
                .findFirst()
                .orElse(null);
        if (existing == null) {
            details.add(new Detail(piece));
        } else {
            existing.add(piece);
        }
    }

    /** Ends the reasoning, and returns the text that was held back. */
    String end() {
        return text.end();
    }

    /** The complete reasoning, or null if there is none. The members of its message are sent back. */
    Block.@Nullable Thinking block(String provider) {
        if (!details.isEmpty()) {
            String json = JsonOut.object(o ->
                    o.putArray(DETAILS, items -> details.forEach(detail -> items.addRaw(detail.json()))));
            return new Block.Thinking(text.toString(), null, new ProviderItem(provider, DETAILS, json));
        }
        if (text.isEmpty()) {
            return null;
        }
        if (name.isEmpty()) {
            return new Block.Thinking(text.toString(), null, null);
        }
        String json = JsonOut.object(o -> o.put(name, text.toString()));
        return new Block.Thinking(text.toString(), null, new ProviderItem(provider, name, json));
    }

    /** A detail whose pieces share a type and an index; its signature covers all of it. */
    private static final class Detail {
        private final VerbatimJson first;
        private final StreamedObject all = new StreamedObject(IN_PIECES);
        private String id;
        private boolean alone = true;

        Detail(VerbatimJson piece) {
            first = piece;
            id = piece.at("id").string();
            all.addAll(piece);
        }

        boolean continuesWith(VerbatimJson piece) {
            String other = piece.at("id").string();
            return piece.at("index").isPresent()
                    && piece.at("index").text().equals(first.at("index").text())
                    && piece.at("type").string().equals(first.at("type").string())
                    && IN_PIECES.stream()
                            .anyMatch(name -> first.at("type").string().endsWith("." + name))
                    && (id.isEmpty() || other.isEmpty() || id.equals(other));
        }

        void add(VerbatimJson piece) {
            alone = false;
            id = piece.at("id").string(id);
            all.addAll(piece);
        }

        String json() {
            return alone ? first.text() : JsonOut.object(all::writeTo);
        }
    }
}
