package dev.parley.agents.model.anthropic;

import dev.parley.agents.model.ModelAnswer;
import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.ModelStream;
import dev.parley.agents.model.wire.JsonResponseReader;
import dev.parley.agents.model.wire.ProviderErrors;
import dev.parley.agents.model.wire.RawLog;
import dev.parley.agents.model.wire.StreamedText;
import dev.parley.agents.model.wire.VerbatimJson;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.Usage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the event stream of the Messages API: forwards text as it arrives and keeps each content block verbatim. A
 * paused answer spans several responses and is one answer.
 */
final class MessagesReader extends JsonResponseReader {
    private final String provider;
    private final ModelStream stream;
    private final RawLog raw = new RawLog();
    private final List<StreamedBlock> blocks = new ArrayList<>();
    private final Map<Long, StreamedBlock> open = new HashMap<>();
    private final Set<String> ids = new HashSet<>();
    private @Nullable StreamedBlock lastText;
    private boolean lineEnded;
    private VerbatimJson message = VerbatimJson.MISSING;
    private VerbatimJson stop = VerbatimJson.MISSING;
    private VerbatimJson counted = VerbatimJson.MISSING;
    private Usage before = Usage.NONE;
    private boolean ended;

    /** @param provider the provider's name, for its items */
    MessagesReader(String provider, ModelStream stream) {
        this.provider = provider;
        this.stream = stream;
    }

    @Override
    protected Progress onEvent(VerbatimJson event, String data) {
        String type = event.at("type").string();
        if (type.equals("ping")) {
            return Progress.NO_TOKEN;
        }
        raw.add(data);
        apply(type, event);
        return switch (type) {
            case "message_start" -> Progress.NO_TOKEN;
            case "message_stop" -> Progress.END;
            default -> Progress.TOKEN;
        };
    }

    private void apply(String type, VerbatimJson event) {
        long index = event.at("index").number();
        switch (type) {
            case "message_start" -> start(event.at("message"));
            case "content_block_start" -> beginBlock(index, event.at("content_block"));
            case "content_block_delta" -> addDelta(index, event.at("delta"));
            case "content_block_stop" -> endBlock(open.remove(index));
            case "message_delta" -> {
                stop = event.at("delta");
                counted = event.at("usage");
            }
            case "message_stop" -> end();
            default -> {} // unknown event types are ignored
        }
    }

    @Override
    protected void onBody(VerbatimJson response, String body) {
        raw.add(body);
        start(response);
        stop = response;
        for (VerbatimJson item : response.at("content").items()) {
            beginBlock(0, item);
            endBlock(open.remove(0L));
        }
        end();
    }

    private void start(VerbatimJson newMessage) {
        message = newMessage;
        stop = VerbatimJson.MISSING;
        counted = VerbatimJson.MISSING;
    }

    private void beginBlock(long index, VerbatimJson item) {
        var block = new StreamedBlock(item, uniqueId(item));
        endBlock(open.put(index, block));
        blocks.add(block);
        switch (block.type()) {
            case "text" -> addText(block, item.at("text").string());
            case "thinking" ->
                stream.reasoning(block.pieces().add(item.at("thinking").string()));
            default -> {}
        }
    }

    /** The block's id; a generated one for a tool call without an id or with a duplicate one. */
    private String uniqueId(VerbatimJson item) {
        String id = item.at("id").string();
        if (!item.at("type").string().equals("tool_use")) {
            return id;
        }
        String unique = id.isEmpty() ? "call_" + blocks.size() : id;
        for (int i = 2; !ids.add(unique); i++) {
            unique = id.replaceAll("[^a-zA-Z0-9_-]", "_") + "_" + i;
        }
        return unique;
    }

    private void addDelta(long index, VerbatimJson delta) {
        StreamedBlock block = open.get(index);
        if (block == null) {
            return;
        }
        block.add(delta);
        switch (delta.at("type").string()) {
            case "text_delta" -> addText(block, delta.at("text").string());
            case "thinking_delta" ->
                stream.reasoning(block.pieces().add(delta.at("thinking").string()));
            case "input_json_delta" ->
                forwardArguments(
                        block, block.pieces().add(delta.at("partial_json").string()));
            default -> {}
        }
    }

    private void forwardArguments(StreamedBlock block, String piece) {
        if (block.type().equals("tool_use")) {
            stream.toolArguments(block.id(), block.name(), piece);
        }
    }

    private void addText(StreamedBlock block, String piece) {
        forwardText(block, block.pieces().add(piece));
    }

    private void forwardText(StreamedBlock block, String piece) {
        if (piece.isEmpty()) {
            return;
        }
        String text = piece;
        if (lastText != block) {
            // Texts with citations come in several adjacent blocks, which are one text.
            boolean apart = lastText != null && blocks.indexOf(block) - blocks.indexOf(lastText) > 1;
            block.gap(apart && !lineEnded ? StreamedText.GAP : "");
            text = block.gap() + piece;
            lastText = block;
        }
        lineEnded = text.endsWith("\n");
        stream.text(text);
    }

    private void endBlock(@Nullable StreamedBlock block) {
        if (block == null) {
            return;
        }
        String tail = block.pieces().end();
        switch (block.type()) {
            case "text" -> forwardText(block, tail);
            case "thinking" -> stream.reasoning(tail);
            default -> forwardArguments(block, tail);
        }
    }

    private void end() {
        open.values().forEach(this::endBlock);
        open.clear();
        ended = true;
    }

    /**
     * Ends a response.
     *
     * @return whether the answer is paused and must be continued
     * @throws ModelFailure when the provider reported an error, or the stream broke off
     */
    boolean endPaused() throws ModelFailure {
        throwFailure();
        if (!ended) {
            throw ProviderErrors.brokenOff();
        }
        ended = false;
        before = before.plus(usage());
        return stop.at("stop_reason").string().equals("pause_turn");
    }

    /** The answer so far, to be continued. */
    MessagesRequest.Paused pausedAnswer() throws ModelFailure {
        String container = stop.at("container", "id").string();
        List<Block> sent = blocks(FinishReason.UNKNOWN).stream()
                .filter(block -> !block.isBlank())
                .toList();
        return new MessagesRequest.Paused(sent, container.isEmpty() ? null : container);
    }

    /** The answer of all responses. */
    ModelAnswer answer(String requestedModel) throws ModelFailure {
        FinishReason finish = finish();
        String model = ModelAnswer.nameOf(requestedModel, message.at("model").string());
        return new ModelAnswer(blocks(finish), finish, before, model, raw.text());
    }

    private List<Block> blocks(FinishReason finish) throws ModelFailure {
        try {
            var found = new ArrayList<Block>();
            for (StreamedBlock block : blocks) {
                boolean last = block == blocks.getLast();
                if (!(last && finish == FinishReason.LENGTH && isCut(block))) {
                    found.add(block(block));
                }
            }
            return found;
        } catch (IOException e) {
            throw new ModelFailure(ErrorCategory.SERVER, "the provider sent an invalid content block");
        }
    }

    /** Whether the arguments of a tool call are incomplete. */
    private static boolean isCut(StreamedBlock block) {
        return block.type().endsWith("tool_use")
                && (block.hasNoArguments() || !VerbatimJson.isObject(block.arguments()));
    }

    /** One block per item, so that each is sent back once. */
    private Block block(StreamedBlock block) throws IOException {
        VerbatimJson item = block.assemble();
        var raw = new ProviderItem(provider, block.type(), item.text());
        return switch (block.type()) {
            case "text" ->
                new Block.Text(
                        block.gap()
                                + StreamedText.replaceUnpairedSurrogates(
                                        item.at("text").string()),
                        raw);
            case "thinking" -> thinking(item, raw);
            case "redacted_thinking" ->
                new Block.RedactedThinking(item.at("data").string(), raw);
            case "tool_use" -> new Block.ToolCall(block.id(), block.name(), block.arguments(), raw);
            default -> new Block.Raw(raw);
        };
    }

    private static Block thinking(VerbatimJson item, ProviderItem raw) {
        String text = item.at("thinking").string();
        String signature = item.at("signature").string();
        return new Block.Thinking(
                StreamedText.replaceUnpairedSurrogates(text), signature.isEmpty() ? null : signature, raw);
    }

    private FinishReason finish() {
        return switch (stop.at("stop_reason").string()) {
            case "end_turn", "stop_sequence" -> FinishReason.STOP;
            case "tool_use" -> FinishReason.TOOL_CALLS;
            case "max_tokens", "model_context_window_exceeded" -> FinishReason.LENGTH;
            case "refusal" -> FinishReason.CONTENT_FILTER;
            default -> FinishReason.UNKNOWN;
        };
    }

    private Usage usage() {
        long cacheWrite = count("cache_creation_input_tokens");
        long cacheRead = count("cache_read_input_tokens");
        return new Usage(
                count("input_tokens") + cacheWrite + cacheRead,
                count("output_tokens"),
                count("output_tokens_details", "thinking_tokens"),
                cacheRead,
                cacheWrite,
                null);
    }

    /** The last value of a counter: all are reported at the start, some again at the end. */
    private long count(String... names) {
        VerbatimJson last = counted.at(names);
        return (last.isPresent() ? last : message.at("usage").at(names)).number();
    }
}
