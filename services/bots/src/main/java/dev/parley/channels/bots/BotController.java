package dev.parley.channels.bots;

import dev.parley.channels.bots.delivery.DeliveryLedger;
import dev.parley.domain.access.Capability;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Routes for the state of bots and the deliveries of their replies. */
@Controller("/v1/bots")
@Requires(beans = ParleyConfig.class)
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Bots", description = "State of bots, and the users who may talk to them.")
class BotController {
    private static final int MAX_DELIVERIES = 200;

    private final BotRegistry bots;
    private final BotAccess access;
    private final BotStates states;
    private final DeliveryLedger ledger;

    BotController(BotRegistry bots, BotAccess access, BotStates states, DeliveryLedger ledger) {
        this.bots = bots;
        this.access = access;
        this.states = states;
        this.ledger = ledger;
    }

    /**
     * A bot and its state.
     *
     * @param kind The channel, such as telegram or webhook.
     * @param owner Instance that receives its messages and sends its replies; null before there is one.
     * @param since Time since which the instance is the owner; null without an owner.
     * @param problem Problem that an operator must fix before the bot works, or null.
     */
    @Serdeable
    @Schema(name = "Bot")
    record BotJson(
            String name,
            String kind,
            @Nullable String owner,
            @Nullable Instant since,
            @Nullable String problem,
            @Nullable Instant problemSince) {}

    /** The bots of the caller's projects. */
    @Serdeable
    @Schema(name = "BotList")
    record BotsJson(List<BotJson> data) {}

    /**
     * The result of delivering a reply.
     *
     * @param state State of the delivery: delivered or failed.
     * @param detail Reason for the failure, or uncertainty about the delivery; otherwise null.
     */
    @Serdeable
    @Schema(name = "Delivery")
    record DeliveryJson(
            UUID reply, String chat, String state, @Nullable String detail, Instant at) {}

    /** The newest deliveries of a bot, newest first. */
    @Serdeable
    @Schema(name = "DeliveryList")
    record DeliveriesJson(List<DeliveryJson> data) {}

    /** List bots. The bots of the caller's projects, with the owning instance and the problem of each. */
    @Authenticated
    @Get
    BotsJson list(Caller caller) {
        var state = states.all();
        List<BotConfig> visible = bots.all().stream()
                .filter(bot -> access.isAllowed(caller, Capability.BOT_READ, bot))
                .toList();
        if (visible.isEmpty()) {
            caller.require(Capability.BOT_READ, null);
        }
        return new BotsJson(visible.stream()
                .sorted(Comparator.comparing(BotConfig::name))
                .map(bot -> json(bot, state.get(bot.name())))
                .toList());
    }

    private static BotJson json(BotConfig bot, @Nullable BotState state) {
        return state == null
                ? new BotJson(bot.name(), bot.kind(), null, null, null, null)
                : new BotJson(
                        bot.name(), bot.kind(), state.owner(), state.since(), state.problem(), state.problemSince());
    }

    /**
     * List deliveries. Deliveries of a bot's replies in the last 14 days, newest first, at most 200.
     *
     * @param state Only deliveries in this state: delivered or failed. Defaults to both.
     */
    @Authenticated
    @Get("/{bot}/deliveries")
    DeliveriesJson deliveries(
            @PathVariable String bot,
            @Nullable @QueryValue String chat,
            @Nullable @QueryValue String state,
            Caller caller) {
        access.require(caller, Capability.BOT_READ, bot);
        if (state != null && !List.of("delivered", "failed").contains(state)) {
            throw ApiException.badRequest("invalid_state", "The 'state' is delivered or failed");
        }
        return new DeliveriesJson(ledger.newest(caller.host(), bot, chat, state, MAX_DELIVERIES).stream()
                .map(delivery -> new DeliveryJson(
                        delivery.reply(), delivery.chat(), delivery.state(), delivery.detail(), delivery.at()))
                .toList());
    }
}
