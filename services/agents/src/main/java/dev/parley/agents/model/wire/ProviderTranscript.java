package dev.parley.agents.model.wire;

import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.protocol.ModelRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The conversation of a request for one provider. Answers of the same provider and model are sent back verbatim; of
 * other answers only the text and the tool calls, without items and reasoning, which are bound to their provider.
 */
public final class ProviderTranscript {
    private static final String SUMMARY = "What was said before, in short:\n\n";
    private static final String INTERRUPTED = "[interrupted]";
    private static final String SUMMARISE = """
            Summarise the conversation up to here, so that it can go on from your summary alone. Keep who is who, facts, \
            decisions, open questions, promises, and names, numbers and identifiers exactly. Write nothing but the summary.""";

    /** Additions to the name of a model: prefixes and versions. */
    private static final Pattern ADDITIONS = Pattern.compile("^models/|[-@:](\\d{4}-?\\d{2}-?\\d{2}|latest)$");

    private ProviderTranscript() {}

    /**
     * The messages for this provider. A block with {@link Block#raw()} is its own and is sent as that item; one without
     * is written from its content.
     *
     * @param provider the provider's name, for its items
     */
    public static List<Message> of(ModelRequest request, String provider) {
        var messages = new ArrayList<Message>();
        if (request.summary() != null) {
            messages.add(Message.text(Role.USER, SUMMARY + request.summary()));
        }
        int newest = newest(request.messages());
        for (int i = 0; i < request.messages().size(); i++) {
            if (i == newest && request.memory() != null) {
                messages.add(Message.text(Role.USER, request.memory()));
            }
            Message shown =
                    adapt(request.messages().get(i), provider, request.agent().model());
            if (!shown.blocks().isEmpty()) {
                messages.add(shown);
            }
        }
        if (request.purpose() == ModelRequest.Purpose.SUMMARY) {
            messages.add(Message.text(Role.USER, SUMMARISE));
        }
        return messages;
    }

    /** The index of the user's newest message. */
    private static int newest(List<Message> messages) {
        int newest = messages.size() - 1;
        while (newest > 0 && messages.get(newest).role() != Role.USER) {
            newest--;
        }
        return newest;
    }

    private static Message adapt(Message message, String provider, String model) {
        boolean isOwn = provider.equals(message.provider()) && sameModel(model, message.model());
        Stream<Block> blocks = message.blocks().stream();
        if (message.interrupted()) {
            blocks = Stream.concat(
                    blocks.filter(Block.Text.class::isInstance)
                            .map(Block::portable)
                            .flatMap(Optional::stream),
                    Stream.of(Block.text(INTERRUPTED)));
        } else if (!isOwn) {
            blocks = blocks.map(Block::portable).flatMap(Optional::stream);
        }
        if (message.role() == Role.ASSISTANT) {
            blocks = blocks.map(ProviderTranscript::imageToText);
        }
        return new Message(
                message.role(),
                blocks.filter(block -> !block.isBlank() || block.raw() != null).toList(),
                message.interrupted(),
                message.provider(),
                message.model());
    }

    /** An image of the assistant becomes text, except for the provider that generated it: no API accepts others. */
    private static Block imageToText(Block block) {
        return block instanceof Block.File file && file.raw() == null ? inWords(file) : block;
    }

    /** The text that replaces a file of the assistant. */
    public static Block.Text inWords(Block.File file) {
        return Block.text("\n[%s was shown]".formatted(file.name()));
    }

    /** Whether two names denote one model: {@code gpt-5} answers as {@code gpt-5-2025-08-07}. */
    public static boolean sameModel(String requested, @Nullable String answered) {
        return answered != null && stripVersionDate(requested).equals(stripVersionDate(answered));
    }

    /** The name of a model without the date of its version. */
    public static String stripVersionDate(String model) {
        return ADDITIONS.matcher(model).replaceAll("");
    }
}
