package dev.parley.sessions.api;

import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.bot.BotNames;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Figures and tool call lists for operators. */
@Controller("/v1/ops")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Operations", description = "Figures for operators.")
class OpsController {
    private static final int MAX_TAKEN = 1_000;

    private final Views views;
    private final PartRows parts;
    private final Overviews overviews;
    private final SessionRows sessions;
    private final BotNames bots;

    OpsController(
            Views views,
            PartRows parts,
            Overviews overviews,
            SessionRows sessions,
            Optional<BotNames> bots,
            Optional<ParleyConfig> config) {
        this.sessions = sessions;
        this.bots = bots.orElseGet(() ->
                project -> config.map(settings -> settings.botNames(project)).orElse(Set.of()));
        this.views = views;
        this.parts = parts;
        this.overviews = overviews;
    }

    /**
     * A tool call.
     *
     * @param status Status of the call: pending, running, completed or error.
     * @param attempt Number of attempts; null if the provider executed the call.
     */
    @Serdeable
    @Schema(name = "ToolUse")
    record ToolUse(
            String session,
            @Nullable UUID turn,
            UUID message,
            UUID part,
            String status,
            @Nullable String arguments,
            @Nullable String result,
            @Nullable Integer attempt,
            Instant createdAt,
            Instant updatedAt) {}

    /**
     * List tool calls. Tool calls, newest first. data=false omits arguments and results, which are in the messages.
     *
     * @return A page of tool calls.
     */
    @Authenticated
    @Get("/tools/{name}/calls")
    Page<ToolUse> calls(
            @PathVariable String name,
            @Nullable @QueryValue String project,
            @Nullable @QueryValue Boolean data,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        var projectId = caller.require(Capability.OPS_READ, project).project();
        int max = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        List<ToolUse> uses = views.list(
                caller.tenant(project),
                () -> parts.usesOfTool(
                        caller.host(),
                        projectId,
                        name,
                        !Boolean.FALSE.equals(data),
                        Cursor.timeOf(after),
                        Cursor.idOf(after),
                        max + 1));
        return Page.of(uses, max, use -> use, use -> Cursor.of(use.createdAt(), use.part()));
    }

    /** A session that a person opened under a key of a bot, process, schedule or delegate. */
    @Serdeable
    @Schema(name = "TakenSession")
    record TakenSession(
            String key, UUID id, long epoch, @Nullable String user, String channel, String status, Instant createdAt) {}

    /**
     * List taken sessions. Sessions that people opened under keys of bots, workflow processes, schedules and delegates,
     * before this was refused, the newest first, at most 1,000. Their owners do not use them: the next message opens
     * another session under the key.
     *
     * @return The sessions.
     */
    @Authenticated
    @Get("/taken-sessions")
    List<TakenSession> taken(@Nullable @QueryValue String project, Caller caller) {
        Project there = caller.require(Capability.OPS_READ, project);
        var names = new ArrayList<>(bots.of(there.projectKey()));
        names.addAll(List.of("workflow", "schedule"));
        return views.list(
                caller.tenant(project), () -> sessions.taken(caller.host(), there.project(), names, MAX_TAKEN));
    }

    /**
     * Get the current activity. The last 24 hours of a project, and what is running now.
     *
     * @return The figures.
     */
    @Authenticated
    @Get("/overview")
    OverviewJson overview(@Nullable @QueryValue String project, Caller caller) {
        return overviews.of(caller, caller.require(Capability.OPS_READ, project));
    }
}
