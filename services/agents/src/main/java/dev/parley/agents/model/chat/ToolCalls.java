package dev.parley.agents.model.chat;

import dev.parley.agents.model.ModelStream;
import dev.parley.agents.model.wire.JsonOut;
import dev.parley.agents.model.wire.JsonText;
import dev.parley.agents.model.wire.Pieces;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.ProviderItem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The tool calls of one answer, put together from their pieces. Servers disagree on how these are marked: by index, by id,
 * by their place, or not at all.
 */
final class ToolCalls {
    /** The members of a call that are read here. */
    static final Set<String> OWN = Set.of("index", "id", "type", "function");

    private static final Set<String> OWN_OF_FUNCTION = Set.of("name", "arguments");

    private final String provider;
    private final String madeIds;
    private final Set<String> taken;
    private final ModelStream stream;
    private final List<Call> calls = new ArrayList<>();

    /**
     * @param madeIds how the ids begin that are made for calls without one
     * @param taken ids that calls of the conversation have already
     */
    ToolCalls(String provider, String madeIds, Set<String> taken, ModelStream stream) {
        this.provider = provider;
        this.madeIds = madeIds;
        this.taken = new HashSet<>(taken);
        this.stream = stream;
    }

    /** Adds the pieces that came together. */
    void add(List<JsonText> pieces) {
        for (int i = 0; i < pieces.size(); i++) {
            JsonText piece = pieces.get(i);
            Call call = find(piece, pieces.size() > 1 ? i : calls.size() - 1);
            if (call == null) {
                call = new Call(madeIds + calls.size());
                calls.add(call);
            }
            call.add(piece);
        }
    }

    /** The call that a piece goes on with, or null where it begins one. */
    private @Nullable Call find(JsonText piece, int place) {
        JsonText index = piece.at("index");
        String id = piece.at("id").string();
        Call found;
        if (index.isPresent()) {
            found = last(call -> call.index != null && call.index == index.number());
        } else if (!id.isEmpty()) {
            Call same = last(call -> call.sentId.equals(id));
            found = same != null || isNamed(piece) ? same : at(place);
        } else {
            found = at(place);
        }
        return found != null && found.goesOnWith(piece) ? found : null;
    }

    private @Nullable Call at(int place) {
        return place >= 0 && place < calls.size() ? calls.get(place) : null;
    }

    private @Nullable Call last(Predicate<Call> which) {
        return calls.reversed().stream().filter(which).findFirst().orElse(null);
    }

    private static boolean isNamed(JsonText piece) {
        return !piece.at("function", "name").string().isEmpty();
    }

    /**
     * The calls as blocks.
     *
     * @param cutOff whether the model was stopped while it spoke: of a call that is not whole nobody knows what it asks for
     */
    List<Block.ToolCall> blocks(boolean cutOff) {
        return calls.stream()
                .filter(call -> !call.name.isEmpty())
                .filter(call -> !cutOff || JsonText.isObject(call.arguments.toString()))
                .map(Call::block)
                .toList();
    }

    private final class Call {
        private final String madeId;
        private final Pieces arguments = new Pieces();
        private final StreamedObject members = new StreamedObject(Set.of());
        private final StreamedObject ofFunction = new StreamedObject(Set.of());
        private @Nullable Long index;
        private String sentId = "";
        private String id = "";
        private String name = "";
        private String type = "function";
        /** The whole call, where it came in one piece. */
        private @Nullable String only;

        private int pieces;

        Call(String madeId) {
            this.madeId = madeId;
        }

        /** A name begins a call, unless this one still waits for its own, or is only told again. */
        boolean goesOnWith(JsonText piece) {
            if (name.isEmpty() || !isNamed(piece)) {
                return true;
            }
            String otherId = piece.at("id").string();
            if (!otherId.isEmpty() && !sentId.isEmpty()) {
                return otherId.equals(sentId);
            }
            return piece.at("index").isPresent()
                    && (piece.at("function", "arguments").string().isEmpty()
                            || !JsonText.isObject(arguments.toString()));
        }

        void add(JsonText piece) {
            pieces++;
            boolean whole = piece.at("type").isPresent() && !piece.members().containsKey("index");
            only = pieces == 1 && whole ? piece.text() : null;
            if (piece.at("index").isPresent()) {
                index = piece.at("index").number();
            }
            String sent = piece.at("id").string();
            if (sentId.isEmpty() && !sent.isEmpty()) {
                sentId = sent;
                id = taken.add(sent) ? sent : "";
            }
            name = piece.at("function", "name").string(name);
            type = piece.at("type").string(type);
            piece.members().forEach((key, value) -> {
                if (!OWN.contains(key)) {
                    members.add(key, value);
                }
            });
            piece.at("function").members().forEach((key, value) -> {
                if (!OWN_OF_FUNCTION.contains(key)) {
                    ofFunction.add(key, value);
                }
            });
            JsonText more = piece.at("function", "arguments");
            if (!more.isString() && more.isPresent()) {
                only = null;
                show(arguments.add(more.text()));
            } else {
                show(arguments.add(more.string()));
            }
        }

        private void show(String piece) {
            if (!piece.isEmpty()) {
                stream.toolArguments(id(), name, piece);
            }
        }

        private String id() {
            return id.isEmpty() ? madeId : id;
        }

        Block.ToolCall block() {
            show(arguments.end());
            String whole = only;
            String json = whole != null && !id.isEmpty()
                    ? whole
                    : JsonOut.object(o -> {
                        o.put("id", id()).put("type", type).putObject("function", f -> {
                            f.put("name", name).put("arguments", arguments.toString());
                            ofFunction.writeTo(f);
                        });
                        members.writeTo(o);
                    });
            return new Block.ToolCall(id(), name, arguments.toString(), new ProviderItem(provider, type, json));
        }
    }
}
