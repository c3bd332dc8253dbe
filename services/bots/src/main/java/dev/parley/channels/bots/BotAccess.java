package dev.parley.channels.bots;

import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.domain.access.RightsChange.Change.OfGuests;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;

/**
 * Access checks for the routes of bots: a caller sees the bots of their projects. A bot whose project is missing counts
 * as one of the default project.
 */
@Singleton
@Requires(beans = ParleyConfig.class)
final class BotAccess {
    private final BotRegistry bots;
    private final BotRights rights;

    BotAccess(BotRegistry bots, BotRights rights) {
        this.bots = bots;
        this.rights = rights;
    }

    /** Whether the caller has the capability for a bot. */
    boolean isAllowed(Caller caller, Capability capability, BotConfig bot) {
        try {
            caller.require(capability, project(bot));
            return true;
        } catch (ApiException e) {
            return false;
        }
    }

    /**
     * Requires that the caller may admit people to a bot: they have the rights of guests in its project.
     *
     * @throws ApiException as {@link #require}; 403 where guests would have rights that the caller does not have
     */
    void requireAdmission(Caller caller, String name) {
        Project project = require(caller, Capability.BOT_MANAGE, name);
        caller.requireChange(new OfGuests(BotRights.UNLINKED_CAPABILITIES), project);
    }

    /**
     * The bot's project.
     *
     * @throws ApiException 404 where the bot is unknown or of a project that the caller cannot see, 403 without the
     * capability
     */
    Project require(Caller caller, Capability capability, String name) {
        BotConfig bot = bots.find(name).orElseThrow(() -> unknown(name));
        try {
            return caller.require(capability, project(bot));
        } catch (ApiException e) {
            throw e.status() == HttpStatus.NOT_FOUND ? unknown(name) : e;
        }
    }

    private String project(BotConfig bot) {
        return rights.problem(bot).isPresent() ? RecordKey.DEFAULT_PROJECT : bot.project();
    }

    private static ApiException unknown(String name) {
        return ApiException.notFound("unknown_bot", "There is no bot '" + name + "'.");
    }
}
