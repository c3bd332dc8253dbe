package dev.parley.agents.model.chat;

import dev.parley.agents.model.ModelStream;
import dev.parley.agents.model.wire.JsonOut;
import dev.parley.agents.model.wire.StreamedText;
import dev.parley.agents.model.wire.VerbatimJson;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.ProviderItem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The tool calls of one answer, assembled from stream deltas. Servers identify them differently: by index, by id, by
 * position, or not at all.
 */
final class StreamedToolCalls {
    /** The known members of a call. */
    static final Set<String> OWN = Set.of("index", "id", "type", "function");

    private static final Set<String> OWN_OF_FUNCTION = Set.of("name", "arguments");

    private final String provider;
    private final String idPrefix;
    private final Set<String> usedIds;
    private final ModelStream stream;
    private final List<Call> calls = new ArrayList<>();

    /**
     * @param idPrefix the prefix of generated ids
     * @param usedIds the ids of earlier calls of the conversation
     */
    StreamedToolCalls(String provider, String idPrefix, Set<String> usedIds, ModelStream stream) {
        this.provider = provider;
        this.idPrefix = idPrefix;
        this.usedIds = new HashSet<>(usedIds);
        this.stream = stream;
    }

    /** Adds the pieces of one delta. */
    void add(List<VerbatimJson> pieces) {
        for (int i = 0; i < pieces.size(); i++) {
            VerbatimJson piece = pieces.get(i);
            Call call = find(piece, pieces.size() > 1 ? i : calls.size() - 1);
            if (call == null) {
                call = new Call(idPrefix + calls.size());
                calls.add(call);
            }
            call.add(piece);
        }
    }

    /** The call that a piece continues, or null if it starts one. */
    private @Nullable Call find(VerbatimJson piece, int position) {
        VerbatimJson index = piece.at("index");
        String id = piece.at("id").string();
        Call found;
        if (index.isPresent()) {
            found = last(call -> call.index != null && call.index == index.number());
        } else if (!id.isEmpty()) {
            Call match = last(call -> call.sentId.equals(id));
            found = match != null || isNamed(piece) ? match : at(position);
        } else {
            found = at(position);
        }
        return found != null && found.isContinuedBy(piece) ? found : null;
    }

    private @Nullable Call at(int position) {
        return position >= 0 && position < calls.size() ? calls.get(position) : null;
    }

    private @Nullable Call last(Predicate<Call> condition) {
        return calls.reversed().stream().filter(condition).findFirst().orElse(null);
    }

    private static boolean isNamed(VerbatimJson piece) {
        return !piece.at("function", "name").string().isEmpty();
    }

    /**
     * The calls as blocks.
     *
     * @param cutOff whether the answer was cut off: then calls with incomplete arguments are dropped
     */
    List<Block.ToolCall> blocks(boolean cutOff) {
        return calls.stream()
                .filter(call -> !call.name.isEmpty())
                .filter(call -> !cutOff || VerbatimJson.isObject(call.arguments.toString()))
                .map(Call::block)
                .toList();
    }

    private final class Call {
        private final String generatedId;
        private final StreamedText arguments = new StreamedText();
        private final StreamedObject members = new StreamedObject(Set.of());
        private final StreamedObject ofFunction = new StreamedObject(Set.of());
        private @Nullable Long index;
        private String sentId = "";
        private String id = "";
        private String name = "";
        private String type = "function";
        /** The text of a call that came in one piece. */
        private @Nullable String only;

        private int pieces;

        Call(String generatedId) {
            this.generatedId = generatedId;
        }

        /** A name starts a new call, unless this one has no name yet or the name is repeated. */
        boolean isContinuedBy(VerbatimJson piece) {
            if (name.isEmpty() || !isNamed(piece)) {
                return true;
            }
            String otherId = piece.at("id").string();
            if (!otherId.isEmpty() && !sentId.isEmpty()) {
                return otherId.equals(sentId);
            }
            return piece.at("index").isPresent()
                    && (piece.at("function", "arguments").string().isEmpty()
                            || !VerbatimJson.isObject(arguments.toString()));
        }

        void add(VerbatimJson piece) {
            pieces++;
            boolean isComplete =
                    piece.at("type").isPresent() && !piece.members().containsKey("index");
            only = pieces == 1 && isComplete ? piece.text() : null;
            if (piece.at("index").isPresent()) {
                index = piece.at("index").number();
            }
            String sent = piece.at("id").string();
            if (sentId.isEmpty() && !sent.isEmpty()) {
                sentId = sent;
                id = usedIds.add(sent) ? sent : "";
            }
            name = piece.at("function", "name").string(name);
            type = piece.at("type").string(type);
            addUnknown(piece, OWN, members);
            addUnknown(piece.at("function"), OWN_OF_FUNCTION, ofFunction);
            addArguments(piece.at("function", "arguments"));
        }

        private static void addUnknown(VerbatimJson object, Set<String> knownNames, StreamedObject to) {
            object.members().forEach((name, value) -> {
                if (!knownNames.contains(name)) {
                    to.add(name, value);
                }
            });
        }

        /** Some servers send an object instead of its text. */
        private void addArguments(VerbatimJson fragment) {
            if (!fragment.isString() && fragment.isPresent()) {
                only = null;
                show(arguments.add(fragment.text()));
            } else {
                show(arguments.add(fragment.string()));
            }
        }

        private void show(String piece) {
            if (!piece.isEmpty()) {
                stream.toolArguments(id(), name, piece);
            }
        }

        private String id() {
            return id.isEmpty() ? generatedId : id;
        }

        Block.ToolCall block() {
            show(arguments.end());
            String complete = only;
            String json = complete != null && !id.isEmpty()
                    ? complete
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
