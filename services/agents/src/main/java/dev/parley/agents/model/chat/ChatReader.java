package dev.parley.agents.model.chat;

import dev.parley.agents.model.ModelAnswer;
import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.ModelStream;
import dev.parley.agents.model.wire.Attachments;
import dev.parley.agents.model.wire.JsonOut;
import dev.parley.agents.model.wire.JsonResponseReader;
import dev.parley.agents.model.wire.ProviderErrors;
import dev.parley.agents.model.wire.RawLog;
import dev.parley.agents.model.wire.StreamedText;
import dev.parley.agents.model.wire.VerbatimJson;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Usage;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the event stream of Chat Completions. The API sends no complete items, so they are assembled from pieces;
 * unknown members keep their exact text and are sent back in the message in which they came.
 */
final class ChatReader extends JsonResponseReader {
    /** The type of an item that holds unknown members of a message. */
    static final String MESSAGE = "message";

    private static final int ID_LENGTH = 24;

    /** The member with generated images. */
    private static final String PICTURES = "images";

    private static final String NO_PICTURE = "[a picture could not be read]";
    private static final Pattern DATA = Pattern.compile("data:[^,]{0,100};base64,");

    /** The known members of a message or a delta. */
    private static final Set<String> KNOWN =
            Set.of("role", "content", "refusal", "tool_calls", "reasoning", "reasoning_content", Reasoning.DETAILS);

    private final String provider;
    private final ServerQuirks quirks;
    private final String asked;
    private final Attachments attachments;
    private final ModelStream stream;
    private final RawLog raw = new RawLog();
    private final StreamedText text = new StreamedText();
    private final Reasoning reasoning = new Reasoning();
    private final ThinkTags tags = new ThinkTags();
    private final StreamedToolCalls calls;
    private final List<Block> pictures = new ArrayList<>();
    private final Set<String> urlsSeen = new HashSet<>();
    private final StreamedObject others = new StreamedObject(Set.of());
    private VerbatimJson usage = VerbatimJson.MISSING;
    private String model = "";
    private String finish = "";
    private boolean done;

    /**
     * @param provider the provider's name, for its items
     * @param attachments stores generated images
     */
    ChatReader(
            String provider, ServerQuirks quirks, ModelRequest request, Attachments attachments, ModelStream stream) {
        this.provider = provider;
        this.quirks = quirks;
        this.asked = request.agent().model();
        this.attachments = attachments;
        this.stream = stream;
        Set<String> usedIds = request.messages().stream()
                .flatMap(message -> Message.toolCalls(message.blocks()).stream())
                .map(Block.ToolCall::id)
                .collect(Collectors.toSet());
        String call = request.callId().toString().replace("-", "").substring(0, ID_LENGTH);
        this.calls = new StreamedToolCalls(provider, "call_" + call + "_", usedIds, stream);
    }

    @Override
    protected void onDone(String data) {
        raw.add(data);
        done = true;
    }

    @Override
    protected Progress onEvent(VerbatimJson event, String data) {
        raw.add(withoutPictures(event, "delta"));
        return addChunk(event, "delta") ? Progress.TOKEN : Progress.NO_TOKEN;
    }

    @Override
    protected void onBody(VerbatimJson response, String body) {
        raw.add(withoutPictures(response, "message"));
        addChunk(response, "message");
        done = !response.at("choices").items().isEmpty();
        if (!done && !isFailed(response)) {
            fail(new ModelFailure(
                    ErrorCategory.SERVER,
                    "the provider sent a response without an answer: " + ProviderErrors.brief(body)));
        }
    }

    /** Adds a chunk with content under this name; returns whether it has content. */
    private boolean addChunk(VerbatimJson json, String name) {
        boolean hasContent = false;
        for (VerbatimJson item : json.items()) {
            hasContent |= addChunk(item, name); // Gemini sends errors as an array
        }
        if (isFailed(json)) {
            return true;
        }
        model = json.at("model").string(model);
        count(json.at("usage"));
        for (VerbatimJson choice : json.at("choices").items()) {
            if (isFailed(choice)) {
                return true;
            }
            if (choice.at("index").number() == 0) {
                hasContent |= addDelta(choice.at(name));
                finish = choice.at("finish_reason").string(finish).toLowerCase(Locale.ROOT);
                count(choice.at("usage"));
            }
        }
        return hasContent || !finish.isEmpty();
    }

    private void count(VerbatimJson counted) {
        if (counted.isPresent()) {
            usage = counted;
        }
    }

    private boolean addDelta(VerbatimJson delta) {
        String reasoningText = reasoning.add(delta);
        forwardReasoning(reasoningText);
        String content = words(delta.at("content"));
        String refusal = delta.at("refusal").string();
        forward(tags.add(content));
        forwardText(text.add(refusal));
        List<VerbatimJson> pieces = delta.at("tool_calls").items();
        calls.add(pieces);
        boolean arePicturesStored = pictures(delta.at(PICTURES));
        delta.members().forEach((name, value) -> {
            if (arePicturesStored && name.equals(PICTURES)) {
                return;
            }
            if (!KNOWN.contains(name) && value.isPresent() && !value.text().equals("[]")) {
                others.add(name, value);
            }
        });
        return !reasoningText.isEmpty()
                || !content.isEmpty()
                || !refusal.isEmpty()
                || !pieces.isEmpty()
                || arePicturesStored;
    }

    /** Stores the images of a message or a delta. False if there are none, or any has an unknown form. */
    private boolean pictures(VerbatimJson images) {
        var urls = images.items().stream().map(ChatReader::url).distinct().toList();
        if (urls.isEmpty() || !urls.stream().allMatch(url -> DATA.matcher(url).lookingAt())) {
            return false;
        }
        for (String url : urls) {
            if (urlsSeen.add(url)) { // some servers repeat them at the end
                Block picture = attachments
                        .store(url.substring(url.indexOf(',') + 1), null)
                        .orElseGet(() -> Block.text(NO_PICTURE));
                if (picture instanceof Block.Text lost) {
                    forwardText(text.add((text.isEmpty() ? "" : StreamedText.GAP) + lost.text()));
                } else {
                    pictures.add(picture);
                }
            }
        }
        return true;
    }

    private static String url(VerbatimJson image) {
        return image.at("image_url", "url").string();
    }

    /** The answer for the log, without image data. */
    private static String withoutPictures(VerbatimJson answer, String name) {
        String text = answer.text();
        for (VerbatimJson choice : answer.at("choices").items()) {
            for (VerbatimJson image : choice.at(name, PICTURES).items()) {
                if (DATA.matcher(url(image)).lookingAt()) {
                    text = text.replace(image.at("image_url", "url").text(), "\"\"");
                }
            }
        }
        return text;
    }

    /** The text of content that is a string or a list of parts. */
    private static String words(VerbatimJson content) {
        return content.isString()
                ? content.string()
                : content.items().stream().map(part -> part.at("text").string()).collect(Collectors.joining());
    }

    private void forward(ThinkTags.Split split) {
        forwardReasoning(reasoning.add(split.reasoning()));
        forwardText(text.add(split.text()));
    }

    private void forwardReasoning(String piece) {
        if (!piece.isEmpty()) {
            stream.reasoning(piece);
        }
    }

    private void forwardText(String piece) {
        if (!piece.isEmpty()) {
            stream.text(piece);
        }
    }

    /**
     * The complete answer.
     *
     * @throws ModelFailure when the provider reported an error, or the stream broke off
     */
    ModelAnswer answer() throws ModelFailure {
        throwFailure();
        checkFinish();
        FinishReason reason = reason();
        List<Block> blocks = blocks(reason == FinishReason.LENGTH);
        boolean callsTools = blocks.stream().anyMatch(Block.ToolCall.class::isInstance);
        boolean complete = reason == FinishReason.STOP || reason == FinishReason.UNKNOWN;
        return new ModelAnswer(
                blocks,
                complete && callsTools ? FinishReason.TOOL_CALLS : reason,
                usage(),
                ModelAnswer.nameOf(asked, model),
                raw.text());
    }

    /** @throws ModelFailure if the answer broke off, or its finish reason is an error */
    private void checkFinish() throws ModelFailure {
        switch (finish) {
            case "" -> {
                if (!done) {
                    throw ProviderErrors.brokenOff();
                }
            }
            case "error" -> throw new ModelFailure(ErrorCategory.SERVER, "the provider ended the answer with an error");
            case "insufficient_system_resource" ->
                throw new ModelFailure(ErrorCategory.OVERLOADED, "the provider ended the answer: " + finish);
            default -> {}
        }
    }

    /** The finish reason, except for tool calls: servers report those differently, so their presence decides. */
    private FinishReason reason() {
        return switch (finish) {
            case "stop", "eos", "end_turn", "stop_sequence" -> FinishReason.STOP;
            case "length", "max_tokens", "model_length" -> FinishReason.LENGTH;
            case "content_filter", "safety" -> FinishReason.CONTENT_FILTER;
            default -> FinishReason.UNKNOWN; // includes tool_calls, tool_use and function_call without any calls
        };
    }

    private List<Block> blocks(boolean cutOff) {
        forward(tags.end());
        forwardText(text.end());
        String answer = withoutClosedReasoning();
        forwardReasoning(reasoning.end());
        var blocks = new ArrayList<Block>();
        Block.Thinking thinking = reasoning.block(provider);
        if (thinking != null) {
            blocks.add(thinking);
        }
        if (!answer.isEmpty()) {
            blocks.add(Block.text(answer));
        }
        blocks.addAll(pictures);
        blocks.addAll(calls.blocks(cutOff));
        if (!others.isEmpty()) {
            blocks.add(new Block.Raw(new ProviderItem(provider, MESSAGE, JsonOut.object(others::writeTo))));
        }
        return blocks;
    }

    /** A stream shows reasoning that is only closed as text: nothing tells it before the closing tag. */
    private String withoutClosedReasoning() {
        if (!reasoning.isEmpty()) {
            return text.toString();
        }
        ThinkTags.Split split = ThinkTags.closedOnly(text.toString());
        forwardReasoning(reasoning.add(split.reasoning()));
        return split.text();
    }

    private Usage usage() {
        long input = usage.at("prompt_tokens").number();
        long output = usage.at("completion_tokens").number();
        long cached = usage.at("prompt_tokens_details", "cached_tokens").number();
        return new Usage(
                input,
                Math.max(
                        output,
                        usage.at("total_tokens").number() - input), // some servers exclude reasoning from the output
                usage.at("completion_tokens_details", "reasoning_tokens").number(),
                cached > 0 ? cached : usage.at("prompt_cache_hit_tokens").number(),
                usage.at("prompt_tokens_details", "cache_write_tokens").number(),
                quirks.server().tellsCost() ? cost() : null);
    }

    private @Nullable Long cost() {
        BigDecimal cost = dollars(usage.at("cost"));
        BigDecimal upstream = usage.at("is_byok").isTrue()
                ? dollars(usage.at("cost_details", "upstream_inference_cost"))
                : BigDecimal.ZERO;
        return cost == null || upstream == null
                ? null
                : cost.add(upstream)
                        .movePointRight(9)
                        .setScale(0, RoundingMode.HALF_UP)
                        .longValue();
    }

    private static @Nullable BigDecimal dollars(VerbatimJson amount) {
        try {
            return amount.isPresent() ? new BigDecimal(amount.text()) : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
