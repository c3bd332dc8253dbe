package dev.parley.channels.bots;

import dev.parley.channels.bots.delivery.DeliveryLedger;
import dev.parley.domain.access.Capability;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.config.ParleyConfig;
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
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Routes for the state of bots and the deliveries of their replies. */
@Controller("/v1/bots")
@Requires(property = "parley.role.channels", value = "true", beans = ParleyConfig.class)
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

    /** A bot as JSON. */
    @Serdeable
    @Schema(name = "Bot", description = "A bot and its state.")
    record BotJson(
            String name,

            @Schema(description = "The channel, such as telegram or webhook.")
            String kind,

            @Schema(
                    description =
                            "Instance that receives its messages and sends its replies; null before there is one.")
            @Nullable
            String owner,

            @Schema(description = "Time since which the instance is the owner; null without an owner.") @Nullable
            Instant since,

            @Schema(description = "Problem that an operator must fix before the bot works, or null.") @Nullable
            String problem,

            @Nullable Instant problemSince) {}

    /** The bots of the caller's projects. */
    @Serdeable
    @Schema(name = "BotList", description = "The bots of the caller's projects.")
    record BotsJson(List<BotJson> data) {}

    /** A delivery as JSON. */
    @Serdeable
    @Schema(name = "Delivery", description = "The result of delivering a reply.")
    record DeliveryJson(
            UUID reply,
            String chat,

            @Schema(description = "State of the delivery: delivered or failed.")
            String state,

            @Schema(description = "Reason for the failure, or uncertainty about the delivery; otherwise null.")
            @Nullable
            String detail,

            Instant at) {}

    /** The newest deliveries of a bot. */
    @Serdeable
    @Schema(name = "DeliveryList", description = "The newest deliveries of a bot, newest first.")
    record DeliveriesJson(List<DeliveryJson> data) {}

    @Authenticated
    @Get
    @Operation(
            summary = "List bots",
            description = "The bots of the caller's projects, with the owning instance and the problem of each.")
    BotsJson list(@Parameter(hidden = true) Caller caller) {
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

    @Authenticated
    @Get("/{bot}/deliveries")
    @Operation(
            summary = "List deliveries",
            description = "Deliveries of a bot's replies in the last 14 days, newest first, at most 200.")
    DeliveriesJson deliveries(
            @PathVariable String bot,
            @Nullable @QueryValue String chat,
            @Parameter(description = "Only deliveries in this state: delivered or failed. Defaults to both.")
                    @Nullable
                    @QueryValue
                    String state,
            @Parameter(hidden = true) Caller caller) {
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
