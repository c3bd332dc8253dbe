package dev.parley.channels.plugin;

import dev.parley.channels.contract.BotCommands;
import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.ClippedText;
import dev.parley.channels.contract.ContentReader;
import dev.parley.channels.contract.ConversationAddress;
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
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Outcome;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.http.ApiException;
import io.micrometer.core.instrument.Tags;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The bot handle of a plug-in channel. Its input is validated: Parley decides who may talk, and a bot is confined to
 * its own conversations.
 */
final class PluginBot implements ChannelBot {
    /** Maximum wait for the outcome; after that the message counts as accepted. */
    private static final Duration OUTCOME_TIMEOUT = Duration.ofSeconds(2);

    private static final int MAX_FILES = 63;
    private static final int MAX_NAME = 200;

    private final BotConfig config;
    private final Map<String, String> settings;
    private final Intake intake;
    private final PluginBots parts;

    PluginBot(BotConfig config, Intake intake, PluginBots parts) {
        this.config = config;
        this.settings = config.settings() == null ? Map.of() : config.settings();
        this.intake = intake;
        this.parts = parts;
    }

    @Override
    public String name() {
        return config.name();
    }

    @Override
    public Map<String, String> settings() {
        return settings;
    }

    @Override
    public boolean streams() {
        return config.streams();
    }

    @Override
    public String token() {
        if (config.token().isEmpty()) {
            throw new IllegalStateException("the bot '" + config.name() + "' has no token");
        }
        return parts.tokens().get(config.token());
    }

    @Override
    public String secret(String setting) {
        String reference = config.secrets().get(setting);
        if (reference == null) {
            throw new IllegalStateException("the setting '%s' of the bot '%s' is not a reference to a secret"
                    .formatted(setting, config.name()));
        }
        return parts.tokens().get(reference);
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
                            MailboxMode.FOLLOWUP,
                            blocks(message),
                            message.reference(),
                            message.shared());
                    return Intake.within(OUTCOME_TIMEOUT, intake.submit(incoming))
                            .flatMap(PluginBot::refusal);
                });
    }

    private List<Block> blocks(InboundMessage message) {
        var blocks = new ArrayList<Block>();
        if (!message.text().isBlank()) {
            blocks.addAll(parts.content().blocks(ContentReader.requireEncodable(message.text()), null));
        }
        if (message.files().size() > MAX_FILES) {
            throw ApiException.badRequest("too_many_parts", "A message has at most " + MAX_FILES + " files");
        }
        for (InboundMessage.Attachment file : message.files()) {
            blocks.add(parts.content().file(file.name(), file.mimeType(), file.bytes()));
        }
        return blocks;
    }

    @Override
    public Taken command(ConversationAddress address, String reference, Sender sender, Command command)
            throws InterruptedException {
        return submitIfAllowed("command", address, reference, sender, BotCommands.needs(command), verified -> {
            Optional<Outcome> outcome = intake.execute(
                    address, config.kind(), reference, verified, BotCommands.sessionCommand(command, verified));
            return BotCommands.refusal(command, outcome);
        });
    }

    @Override
    public Taken answer(ConversationAddress address, String reference, String text) throws InterruptedException {
        return result(() -> {
            check(address, reference);
            parts.content().blocks(ContentReader.requireEncodable(text), null); // the limits of messages apply
            intake.reply(address, reference, text, List.of());
            return Optional.empty();
        });
    }

    /** A submission of a message or command. */
    private interface Submission {
        /** @return the refusal; empty where it is accepted */
        Optional<Outcome.Refused> submit() throws UnavailableException, InterruptedException;
    }

    private interface SubmissionBy {
        Optional<Outcome.Refused> submit(Sender sender) throws UnavailableException, InterruptedException;
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
            check(address, reference);
            @Nullable String problem = parts.rights().problem(config).orElse(null);
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

    private static Taken result(Submission submission) throws InterruptedException {
        try {
            return submission
                    .submit()
                    .<Taken>map(refused -> new Taken.Refused(refused.code(), refused.message()))
                    .orElseGet(Taken.Safe::new);
        } catch (ApiException e) {
            return new Taken.Refused(e.code(), e.getMessage());
        } catch (UnavailableException e) {
            return e.reason() == Reason.TOO_LARGE
                    ? new Taken.Refused("too_large", "The message is too large.")
                    : new Taken.NotSafe(String.valueOf(e.getMessage()));
        } catch (UncheckedIOException e) {
            return new Taken.NotSafe(String.valueOf(e.getMessage()));
        }
    }

    private static Optional<Outcome.Refused> refusal(Outcome outcome) {
        return outcome instanceof Outcome.Refused refused ? Optional.of(refused) : Optional.empty();
    }

    private void check(ConversationAddress address, String reference) {
        if (!address.bot().equals(config.name())) {
            throw invalid("address", "is a conversation of the bot '" + config.name() + "'");
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
    private static Sender normalizeSender(Sender sender) {
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
