package dev.parley.channels.webhook;

import dev.parley.channels.contract.BotCommands;
import dev.parley.channels.contract.BotDirectory;
import dev.parley.channels.contract.ChannelBot.Command;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.IncomingMessage;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Rights;
import dev.parley.channels.contract.Rights.Decision;
import dev.parley.channels.web.ContentReader;
import dev.parley.channels.web.Refusals;
import dev.parley.domain.access.Capability;
import dev.parley.domain.protocol.Origin;
import dev.parley.domain.protocol.Outcome;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.Secrets;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Public;
import dev.parley.platform.http.limit.BodySize;
import dev.parley.platform.http.limit.MaxBody;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Hidden;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Inbound requests of webhook bots. A request is answered once its message is durable; callers retry after 503 or no
 * answer.
 */
@Hidden
@Controller
@Requires(beans = ParleyConfig.class)
final class InboundWebhookController {
    private static final Logger LOG = LoggerFactory.getLogger(InboundWebhookController.class);

    /** Maximum wait for the outcome; after that the message counts as accepted. */
    private static final Duration OUTCOME_TIMEOUT = Duration.ofSeconds(2);

    private final BotDirectory bots;
    private final WebhookChannel channel;
    private final Intake intake;
    private final Rights rights;
    private final ContentReader content;
    private final MeterRegistry registry;

    InboundWebhookController(
            BotDirectory bots,
            WebhookChannel channel,
            Intake intake,
            Rights rights,
            ContentReader content,
            Optional<MeterRegistry> registry) {
        this.bots = bots;
        this.channel = channel;
        this.intake = intake;
        this.rights = rights;
        this.content = content;
        this.registry = registry.orElseGet(CompositeMeterRegistry::new);
    }

    /**
     * Accepts a message or a command. Without a valid signature the answer reveals nothing, not even which names exist.
     */
    @Public
    @MaxBody(BodySize.FILES)
    @Post(uri = "/hooks/{name}", consumes = "application/json")
    @ExecuteOn(TaskExecutors.BLOCKING)
    HttpResponse<?> receive(
            @PathVariable String name, @Nullable @Header(WebhookSignature.HEADER) String signature, @Body byte[] body)
            throws InterruptedException {
        BotConfig bot = bots.find(name)
                .filter(config -> config.kind().equals(WebhookChannel.KIND))
                .filter(config -> signature != null && isSigned(config, body, signature))
                .orElseThrow(() -> new ApiException(
                        HttpStatus.UNAUTHORIZED, "unauthorized", "The signature is missing, wrong or too old."));
        InboundMessageBody request = InboundMessageBody.read(body);
        count("parley_channel_updates", bot, "kind", request.command() == null ? "message" : "command");
        try {
            requireAllowed(bot, request);
            return request.command() == null ? message(bot, request) : command(bot, request, request.command());
        } catch (UnavailableException e) {
            throw Refusals.problem(e);
        }
    }

    /** An unusable secret is logged, and no signature is valid with it. */
    private boolean isSigned(BotConfig bot, byte[] body, String signature) {
        try {
            return WebhookSignature.isOf(channel.secret(bot), body, signature, Instant.now());
        } catch (Secrets.MissingException e) {
            LOG.atError()
                    .addKeyValue("webhook", bot.name())
                    .addKeyValue("reason", e.getMessage())
                    .log("webhook message rejected: the secret of the bot cannot be used");
            return false;
        }
    }

    private void requireAllowed(BotConfig bot, InboundMessageBody request) throws UnavailableException {
        Optional<String> problem = rights.problem(bot);
        if (problem.isPresent()) {
            throw new UnavailableException(problem.get());
        }
        Capability required = "forget".equals(request.command()) ? Capability.MEMORY_WRITE : Capability.SESSION_SEND;
        Decision decision = rights.decide(bot, request.sender(), required).decision();
        if (decision == Decision.ALLOWED) {
            return;
        }
        count("parley_channel_refused", bot);
        throw Refusals.problem(decision);
    }

    private void count(String name, BotConfig bot, String... tags) {
        registry.counter(name, Tags.of("bot", bot.name()).and(tags)).increment();
    }

    private HttpResponse<?> message(BotConfig bot, InboundMessageBody request)
            throws UnavailableException, InterruptedException {
        IncomingMessage incoming = incoming(bot, request);
        Optional<Outcome> outcome = Intake.within(OUTCOME_TIMEOUT, intake.submit(incoming));
        UUID turnId = incoming.address().key(bot.project()).turnId(Origin.CHANNEL.code(), incoming.reference());
        return switch (outcome.orElse(null)) {
            case Outcome.Refused refused -> throw Refusals.problem(refused);
            case Outcome.Finished finished -> HttpResponse.ok(Map.of("turn", finished.turnId()));
            case Outcome.Accepted accepted ->
                acceptedResponse("turn", accepted.turnId() == null ? turnId : accepted.turnId());
            case Outcome.Reverted _,
                    Outcome.Recalled _,
                    Outcome.Concluded _,
                    Outcome.Retained _,
                    Outcome.ProcessShown _,
                    Outcome.TodosListed _,
                    Outcome.CallsListed _ -> throw new IllegalStateException("not an outcome of a message");
            case null -> acceptedResponse("turn", turnId);
        };
    }

    private IncomingMessage incoming(BotConfig bot, InboundMessageBody request) {
        ConversationAddress address = request.address(bot.name());
        String reference = request.reference();
        return new IncomingMessage(
                address,
                reference,
                WebhookChannel.KIND,
                request.sender(),
                bot.agent(),
                ContentReader.mode(request.mode()),
                content.blocks(request.text(), request.validParts()),
                reference,
                false);
    }

    private static HttpResponse<?> acceptedResponse(String field, Object value) {
        return HttpResponse.accepted().body(Map.of(field, value.toString()));
    }

    private HttpResponse<?> command(BotConfig bot, InboundMessageBody request, String command)
            throws UnavailableException, InterruptedException {
        if (request.text() != null || request.parts() != null || request.mode() != null) {
            throw ApiException.badRequest("invalid_command", "A command must not have 'text', 'parts' or 'mode'");
        }
        Command parsed = parseCommand(command);
        var outcome = intake.execute(
                request.address(bot.name()),
                WebhookChannel.KIND,
                request.reference(),
                request.sender(),
                BotCommands.sessionCommand(parsed, request.sender()));
        Optional<Outcome.Refused> refused = BotCommands.refusal(parsed, outcome);
        if (refused.isPresent()) {
            throw Refusals.problem(refused.get());
        }
        return acceptedResponse("command", command);
    }

    private static Command parseCommand(String command) {
        return switch (command) {
            case "stop" -> Command.STOP;
            case "new" -> Command.NEW;
            case "undo" -> Command.UNDO;
            case "forget" -> Command.FORGET;
            default -> throw ApiException.badRequest("invalid_command", "The 'command' is stop, new, undo or forget");
        };
    }
}
