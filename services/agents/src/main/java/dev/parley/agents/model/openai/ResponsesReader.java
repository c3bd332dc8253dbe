package dev.parley.agents.model.openai;

import dev.parley.agents.model.ModelAnswer;
import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.ModelStream;
import dev.parley.agents.model.wire.Attachments;
import dev.parley.agents.model.wire.JsonResponseReader;
import dev.parley.agents.model.wire.ProviderErrors;
import dev.parley.agents.model.wire.RawLog;
import dev.parley.agents.model.wire.StreamedText;
import dev.parley.agents.model.wire.VerbatimJson;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.Usage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the event stream of the Responses API: forwards text as it arrives and keeps each item verbatim. */
final class ResponsesReader extends JsonResponseReader {
    /** The type of items with an image in their {@code result}. */
    static final String PICTURE = "image_generation_call";

    private final String provider;
    private final Attachments attachments;
    private final ModelStream stream;
    private final Map<VerbatimJson, Optional<Block>> pictures = new HashMap<>();
    private final Map<Long, VerbatimJson> items = new TreeMap<>();
    private final Map<Long, VerbatimJson> begun = new HashMap<>();
    private final Map<Long, StreamedItem> streamed = new TreeMap<>();
    private @Nullable VerbatimJson response;
    private long lastText = -1;

    /**
     * @param provider the provider's name, for its items
     * @param attachments stores generated images
     */
    ResponsesReader(String provider, Attachments attachments, ModelStream stream) {
        this.provider = provider;
        this.attachments = attachments;
        this.stream = stream;
    }

    @Override
    protected Progress onEvent(VerbatimJson event, String data) {
        String type = event.at("type").string();
        long index = event.at("output_index").number();
        VerbatimJson item = event.at("item");
        switch (type) {
            case "response.output_item.added" -> begun.put(index, item);
            case "response.output_item.done" -> itemDone(index, item);
            case "response.output_text.delta", "response.refusal.delta" ->
                onDelta(index, event, piece -> addText(index, piece));
            case "response.reasoning_summary_text.delta", "response.reasoning_text.delta" ->
                onDelta(index, event, stream::reasoning);
            case "response.function_call_arguments.delta", "response.custom_tool_call_input.delta" ->
                onDelta(index, event, piece -> arguments(index, piece));
            case "response.completed", "response.incomplete" -> onCompleted(event.at("response"));
            case "response.failed" -> fail(ProviderErrors.failure(event.at("response", "error")));
            default -> {} // unknown types, and content repeated at the end, are ignored
        }
        return progress(type, item);
    }

    private static Progress progress(String type, VerbatimJson item) {
        return switch (type) {
            case "response.created", "response.in_progress", "response.queued" -> Progress.NO_TOKEN;
            case "response.completed", "response.incomplete", "response.failed" -> Progress.END;
            // Reasoning of unknown length does not count as a first token.
            case "response.output_item.added", "response.output_item.done" ->
                item.at("type").string().equals("reasoning") ? Progress.NO_TOKEN : Progress.TOKEN;
            default -> Progress.TOKEN;
        };
    }

    private void itemDone(long index, VerbatimJson item) {
        end(index);
        items.put(index, item);
        if (picture(item).orElse(null) instanceof Block.Text lost) {
            addText(index, lost.text());
        }
    }

    private void onCompleted(VerbatimJson completeResponse) {
        List.copyOf(streamed.keySet()).forEach(this::end);
        response = completeResponse;
    }

    private void onDelta(long index, VerbatimJson event, Consumer<String> listener) {
        StreamedItem item = streamed.computeIfAbsent(index, _ -> new StreamedItem(new StreamedText(), listener));
        item.forward(item.pieces.add(event.at("delta").string()));
    }

    private void end(long index) {
        StreamedItem item = streamed.remove(index);
        if (item != null) {
            item.forward(item.pieces.end());
        }
    }

    private void addText(long index, String piece) {
        if (lastText >= 0 && lastText != index) {
            stream.text(StreamedText.GAP);
        }
        lastText = index;
        stream.text(piece);
    }

    private void arguments(long index, String piece) {
        VerbatimJson call = begun.getOrDefault(index, VerbatimJson.MISSING);
        stream.toolArguments(call.at("call_id").string(), call.at("name").string(), piece);
    }

    /** A streamed item and the consumer of its text. */
    private record StreamedItem(StreamedText pieces, Consumer<String> listener) {
        void forward(String piece) {
            if (!piece.isEmpty()) {
                listener.accept(piece);
            }
        }
    }

    @Override
    protected void onBody(VerbatimJson json, String body) {
        response = json;
        blocks(items(json)).stream()
                .filter(Block.Text.class::isInstance)
                .forEach(block -> stream.text(StreamedText.replaceUnpairedSurrogates(((Block.Text) block).text())));
    }

    /**
     * The complete answer.
     *
     * @throws ModelFailure when the provider reported an error, or the stream broke off
     */
    ModelAnswer answer(String requestedModel) throws ModelFailure {
        throwFailure();
        VerbatimJson end = response;
        if (end == null) {
            throw ProviderErrors.brokenOff();
        }
        List<VerbatimJson> found = items(end);
        List<Block> blocks = blocks(found);
        return new ModelAnswer(
                blocks,
                finish(end, blocks),
                usage(end.at("usage")),
                ModelAnswer.nameOf(requestedModel, end.at("model").string()),
                new RawLog().add(withoutPictures(end)).text());
    }

    /** The streamed items; if there are none, those of the final response. */
    private List<VerbatimJson> items(VerbatimJson end) {
        return items.isEmpty() ? end.at("output").items() : List.copyOf(items.values());
    }

    /** One block per item, so that each is sent back once. */
    private List<Block> blocks(List<VerbatimJson> found) {
        var blocks = new ArrayList<Block>();
        boolean spoken = false;
        for (VerbatimJson item : found) {
            Block block = block(item, spoken, found);
            if (block != null) {
                spoken |= block instanceof Block.Text text && !text.text().isEmpty();
                blocks.add(block);
            }
        }
        return blocks;
    }

    private @Nullable Block block(VerbatimJson item, boolean spoken, List<VerbatimJson> items) {
        String type = item.at("type").string();
        var raw = new ProviderItem(provider, type, item.text());
        return switch (type) {
            case "message" -> {
                String text = text(item);
                yield new Block.Text(spoken && !text.isEmpty() ? StreamedText.GAP + text : text, raw);
            }
            case "reasoning" -> new Block.Thinking(reasoning(item), null, raw);
            case PICTURE ->
                switch (picture(item).orElse(null)) {
                    case null -> new Block.Raw(raw);
                    case Block.Text lost when spoken -> Block.text(StreamedText.GAP + lost.text());
                    case Block picture -> picture;
                };
            case "function_call" ->
                call(item, item.at("name").string(), item.at("arguments").string(), raw);
            case "custom_tool_call" ->
                call(item, item.at("name").string(), item.at("input").string(), raw);
            default -> clientToolCall(item, raw, items);
        };
    }

    /** The call of a {@link ClientTool}, unless the provider has answered it; other items are kept as they are. */
    private static @Nullable Block clientToolCall(VerbatimJson item, ProviderItem raw, List<VerbatimJson> items) {
        ClientTool tool = ClientTool.findByCallType(raw.type()).orElse(null);
        return tool == null || items.stream().anyMatch(other -> tool.isAnswered(item, other))
                ? new Block.Raw(raw)
                : call(item, tool.tool(), tool.arguments(item), raw);
    }

    /** The image of an item, stored once as a file. */
    private Optional<Block> picture(VerbatimJson item) {
        if (!item.at("type").string().equals(PICTURE) || !item.at("result").isString()) {
            return Optional.empty();
        }
        return pictures.computeIfAbsent(item, pictureItem -> {
            var raw = new ProviderItem(provider, PICTURE, pictureItem.with(Map.of("result", "null")));
            return attachments.store(pictureItem.at("result").string(), raw);
        });
    }

    /** The response for the log, without image data. */
    private static String withoutPictures(VerbatimJson response) {
        String text = response.text();
        for (VerbatimJson item : response.at("output").items()) {
            if (item.at("type").string().equals(PICTURE) && item.at("result").isString()) {
                text = text.replace(item.at("result").text(), "null");
            }
        }
        return text;
    }

    /** The tool call; null if it is incomplete. */
    private static @Nullable Block call(VerbatimJson item, String name, String arguments, ProviderItem raw) {
        return item.at("status").string().equals("incomplete")
                ? null
                : new Block.ToolCall(item.at("call_id").string(), name, arguments, raw);
    }

    private static String text(VerbatimJson message) {
        var text = new StringBuilder();
        for (VerbatimJson part : message.at("content").items()) {
            text.append(part.at("text").string()).append(part.at("refusal").string());
        }
        return text.toString();
    }

    private static String reasoning(VerbatimJson item) {
        var parts = new ArrayList<String>();
        for (String list : List.of("summary", "content")) {
            item.at(list).items().forEach(part -> parts.add(part.at("text").string()));
        }
        return String.join(StreamedText.GAP, parts);
    }

    private static FinishReason finish(VerbatimJson end, List<Block> blocks) {
        if (end.at("status").string().equals("incomplete")) {
            return switch (end.at("incomplete_details", "reason").string()) {
                case "max_output_tokens" -> FinishReason.LENGTH;
                case "content_filter" -> FinishReason.CONTENT_FILTER;
                default -> FinishReason.UNKNOWN;
            };
        }
        return blocks.stream().anyMatch(Block.ToolCall.class::isInstance) ? FinishReason.TOOL_CALLS : FinishReason.STOP;
    }

    private static Usage usage(VerbatimJson usage) {
        return new Usage(
                usage.at("input_tokens").number(),
                usage.at("output_tokens").number(),
                usage.at("output_tokens_details", "reasoning_tokens").number(),
                usage.at("input_tokens_details", "cached_tokens").number(),
                usage.at("input_tokens_details", "cache_write_tokens").number(),
                null);
    }
}
