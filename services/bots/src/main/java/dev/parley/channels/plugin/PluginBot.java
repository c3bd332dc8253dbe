package dev.parley.channels.plugin;

import dev.parley.channels.chat.BotChats;
import dev.parley.channels.chat.ChatSide;
import dev.parley.channels.contract.BotCommands;
import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.ClippedText;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.DeliveryReport;
import dev.parley.channels.contract.InboundMessage;
import dev.parley.channels.contract.IncomingMessage;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Intake.UnavailableException.Reason;
import dev.parley.channels.contract.Refusals;
import dev.parley.channels.contract.Rights.Verdict;
import dev.parley.channels.contract.Sender;
import dev.parley.channels.contract.Taken;
import dev.parley.domain.access.Capability;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.origin.Origin;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.http.ApiException;
import io.micrometer.core.instrument.Tags;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The bot handle of a channel. Its input is validated: Parley decides who may talk, and a bot is confined to
 * its own conversations.
 */
final class PluginBot extends BotView implements ChannelBot {
    /** Maximum wait for the outcome; after that the message counts as accepted. */
    private static final Duration OUTCOME_TIMEOUT = Duration.ofSeconds(2);

    private static final int MAX_NAME = 200;

    private final BotConfig config;
    private final Intake intake;
    private final PluginBots parts;

    PluginBot(BotConfig config, Intake intake, PluginBots parts) {
        super(config, parts.tokens(), parts.guard(config));
        this.config = config;
        this.intake = intake;
        this.parts = parts;
    }

    @Override
    public Taken take(InboundMessage message) throws InterruptedException {
        return submitIfAllowed(
                "message",
                message.address(),
                message.reference(),
                message.sender(),
                Capability.SESSION_SEND,
                verified -> {
                    var incoming = new IncomingMessage(
                            message.address(),
                            message.reference(),
                            config.kind(),
                            verified,
                            config.agent(),
                            message.mode(),
                            parts.content().blocks(message.content()),
                            message.reference(),
                            message.shared(),
                            List.of());
                    return taken(incoming, Intake.within(OUTCOME_TIMEOUT, intake.submit(incoming)));
                });
    }

    private Taken taken(IncomingMessage message, Optional<Outcome> outcome) {
        UUID turn = message.address().key(config.project()).turnId(Origin.CHANNEL.code(), message.reference());
        return switch (outcome.orElse(null)) {
            case Outcome.Refused refused -> new Taken.Refused(refused.code(), refused.message());
            case Outcome.Finished finished -> new Taken.Safe(finished.turnId(), true);
            case Outcome.Accepted accepted ->
                new Taken.Safe(accepted.turnId() == null ? turn : accepted.turnId(), false);
            case Outcome.Reverted _,
                    Outcome.Recalled _,
                    Outcome.Concluded _,
                    Outcome.Retained _,
                    Outcome.ProcessShown _,
                    Outcome.TodosListed _,
                    Outcome.RemindersListed _,
                    Outcome.CallsListed _ -> throw new IllegalStateException("not an outcome of a message");
            case null -> new Taken.Safe(turn, false);
        };
    }

    @Override
    public Taken command(ConversationAddress address, String reference, Sender sender, Command command)
            throws InterruptedException {
        return submitIfAllowed("command", address, reference, sender, BotCommands.needs(command), verified -> {
            Optional<Outcome> outcome = intake.execute(
                    address, config.kind(), reference, verified, BotCommands.sessionCommand(command, verified));
            return BotCommands.refusal(command, outcome)
                    .<Taken>map(refused -> new Taken.Refused(refused.code(), refused.message()))
                    .orElseGet(Taken.Safe::new);
        });
    }

    @Override
    public Taken answer(ConversationAddress address, String reference, String text) throws InterruptedException {
        return result(() -> {
            check(config, address, reference);
            parts.content().blocks(text, null); // the limits of messages apply
            intake.reply(address, reference, text, List.of());
            return new Taken.Safe();
        });
    }

    @Override
    public Taken report(DeliveryReport report) throws InterruptedException {
        return result(() -> {
            if (parts.chats().reports().record(config.name(), report) && report.failure() != null) {
                count("parley_channel_failed");
            }
            return new Taken.Safe();
        });
    }

    @Override
    public Optional<String> problem() {
        return parts.rights().problem(config);
    }

    @Override
    public BotChats chats(ChatSide side) {
        return new PluginChats(config, parts.chats(), intake, side);
    }

    /** A submission of a message or command. */
    interface Submission {
        Taken submit() throws UnavailableException, InterruptedException;
    }

    private interface SubmissionBy {
        Taken submit(Sender sender) throws UnavailableException, InterruptedException;
    }

    /** Submits a message or command if the sender has the capability. */
    private Taken submitIfAllowed(
            String kind,
            ConversationAddress address,
            String reference,
            Sender sender,
            Capability required,
            SubmissionBy submission)
            throws InterruptedException {
        return result(() -> {
            count("parley_channel_updates", "kind", kind);
            check(config, address, reference);
            @Nullable String problem = problem().orElse(null);
            if (problem != null) {
                throw new UnavailableException(problem);
            }
            Verdict verdict = parts.rights().decide(config, normalizeSender(sender), required);
            if (!verdict.allows()) {
                count("parley_channel_refused");
                throw Refusals.problem(verdict.decision());
            }
            return submission.submit(verdict.sender());
        });
    }

    static Taken result(Submission submission) throws InterruptedException {
        try {
            return submission.submit();
        } catch (ApiException e) {
            return new Taken.Refused(e.code(), e.getMessage());
        } catch (UnavailableException e) {
            return e.reason() == Reason.TOO_LARGE
                    ? new Taken.Refused(
                            "too_large", String.valueOf(Refusals.problem(e).getMessage()))
                    : new Taken.NotSafe(String.valueOf(e.getMessage()), e.reason() == Reason.OVERLOADED);
        } catch (UncheckedIOException | IllegalStateException e) { // the blob store, the database
            return new Taken.NotSafe(String.valueOf(e.getMessage()));
        }
    }

    /** Confines a bot to its own conversations. */
    static void check(BotConfig bot, ConversationAddress address, String reference) {
        if (!address.bot().equals(bot.name())) {
            throw invalid("address", "is a conversation of the bot '" + bot.name() + "'");
        }
        String name = "is 1 to 128 printable ASCII characters without spaces, '/', '#' and ':'";
        require(ConversationAddress.NAME.matcher(address.chat()).matches(), "chat", name);
        require(
                address.topic() == null
                        || ConversationAddress.NAME.matcher(address.topic()).matches(),
                "topic",
                name);
        require(
                InboundMessage.REFERENCE.matcher(reference).matches(),
                "reference",
                "is 1 to 126 printable ASCII characters without spaces");
    }

    /** Drops the account, which only Parley knows. */
    static Sender normalizeSender(Sender sender) {
        require(
                InboundMessage.REFERENCE.matcher(sender.id()).matches(),
                "sender",
                "has an id of 1 to 126 printable ASCII characters without spaces");
        return new Sender(sender.id(), ClippedText.of(sender.name(), MAX_NAME));
    }

    private static void require(boolean valid, String field, String requirement) {
        if (!valid) {
            throw invalid(field, requirement);
        }
    }

    private static ApiException invalid(String field, String requirement) {
        return ApiException.badRequest("invalid_field", "The field '" + field + "' " + requirement);
    }

    private void count(String name, String... tags) {
        parts.registry().counter(name, Tags.of("bot", config.name()).and(tags)).increment();
    }
}
