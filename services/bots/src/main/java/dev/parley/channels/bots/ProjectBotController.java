package dev.parley.channels.bots;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.domain.audit.AuditEntry;
import dev.parley.platform.audit.AuditTrail;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.config.bot.BotDocuments;
import dev.parley.platform.document.Stored.Refused;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Correlation;
import dev.parley.platform.http.IfMatch;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Routes of the bots of a project. */
@Controller("/v1/projects/{project}/bots")
@Requires(beans = ParleyConfig.class)
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Bots")
class ProjectBotController {
    private final ProjectBots bots;
    private final Optional<AuditTrail> audit;

    ProjectBotController(ProjectBots bots, Optional<AuditTrail> audit) {
        this.bots = bots;
        this.audit = audit;
    }

    /**
     * A bot of a project, without its token.
     *
     * @param kind The channel, such as telegram or webhook.
     * @param managedBy Place where the bot is defined: project, or configuration (the operator's file).
     * @param tokenEndsWith Last four characters of the token; null for configured bots.
     * @param secrets Names of the bot's secrets other than the token.
     * @param owner Instance that receives its messages and sends its replies; null before there is one.
     * @param problem Problem that must be fixed before the bot works, or null. A bot whose stored settings this build
     *     refuses has its invalid fields in errors, and the settings in stored.
     */
    @Serdeable
    @Schema(name = "ProjectBot") // DocumentSchemas adds its settings
    record BotView(
            String name,
            String kind,
            String managedBy,
            @Schema(hidden = true) Map<String, @Nullable Object> settings,
            @Nullable String tokenEndsWith,
            List<String> secrets,
            @Nullable String owner,
            @Nullable Instant since,
            @Nullable String problem,
            @Nullable Long version,
            @Nullable Instant updatedAt,
            @Nullable String updatedBy) {
        /**
         * A bot of the configuration, or of a row.
         *
         * @param row null for a configured bot, whose URL is not shown
         */
        static BotView of(BotConfig bot, @Nullable ProjectBot row, @Nullable String problem, @Nullable BotState state) {
            Map<String, @Nullable Object> settings = BotDocuments.settings(bot);
            if (row == null) {
                settings.put("url", null);
            }
            return new BotView(
                    bot.name(),
                    bot.kind(),
                    row == null ? "configuration" : "project",
                    settings,
                    row == null ? null : row.last4(),
                    bot.secrets().keySet().stream().sorted().toList(),
                    state == null ? null : state.owner(),
                    state == null ? null : state.since(),
                    problem == null && state != null ? state.problem() : problem,
                    row == null ? null : row.version(),
                    row == null ? null : row.updatedAt(),
                    row == null ? null : row.updatedBy());
        }

        /** A bot whose settings this build refuses: it does not run, and can be changed and removed. */
        static BotView refused(ProjectBot row, Refused<BotConfig> refused, @Nullable BotState state) {
            var settings = new LinkedHashMap<String, @Nullable Object>();
            refused.describe(settings, true);
            return new BotView(
                    row.bot(),
                    row.kind(),
                    "project",
                    settings,
                    row.last4(),
                    row.secrets().keySet().stream().sorted().toList(),
                    state == null ? null : state.owner(),
                    state == null ? null : state.since(),
                    refused.problem(),
                    row.version(),
                    row.updatedAt(),
                    row.updatedBy());
        }

        @JsonValue
        JsonNode json() {
            var json = new LinkedHashMap<String, @Nullable Object>();
            json.put("name", name);
            json.put("kind", kind);
            json.put("managedBy", managedBy);
            json.putAll(settings);
            json.put("tokenEndsWith", tokenEndsWith);
            json.put("secrets", secrets);
            json.put("owner", owner);
            json.put("since", since == null ? null : since.toString());
            json.put("problem", problem);
            json.put("version", version);
            json.put("updatedAt", updatedAt == null ? null : updatedAt.toString());
            json.put("updatedBy", updatedBy);
            return JsonNode.from(json);
        }
    }

    /** The bots of a project. */
    @Serdeable
    @Schema(name = "ProjectBotList")
    record BotsView(List<BotView> data) {}

    /** List a project's bots. The bots created in the project, and those that the configuration defines for it. */
    @RequiresCapability(Capability.BOT_READ)
    @Get
    BotsView list(@PathVariable String project, Caller caller) {
        return new BotsView(bots.list(caller.require(Capability.BOT_READ, project)));
    }

    /** Get a project's bot. The bot's settings and state; the token is never returned. */
    @RequiresCapability(Capability.BOT_READ)
    @Get("/{bot}")
    HttpResponse<BotView> show(@PathVariable String project, @PathVariable String bot, Caller caller) {
        return responseWithETag(bots.find(caller.require(Capability.BOT_READ, project), bot), HttpStatus.OK);
    }

    /** Create a bot. The bot starts at once. Its name stays reserved for the project, even after it is removed. */
    @RequiresCapability(Capability.BOT_MANAGE)
    @Post
    @ApiResponse(responseCode = "201", description = "The bot was created.")
    HttpResponse<BotView> make(
            @PathVariable String project, @Body BotRequest body, HttpRequest<?> request, Caller caller) {
        Project targetProject = requireProject(caller, project);
        BotView created = bots.create(caller, targetProject, body);
        audit.ifPresent(trail -> trail.record(entry(caller, targetProject, created.name(), request)));
        return responseWithETag(created, HttpStatus.CREATED);
    }

    private static AuditEntry entry(Caller caller, Project project, String bot, HttpRequest<?> request) {
        return new AuditEntry(
                UUID.randomUUID(),
                caller.host(),
                project.project(),
                "bot",
                "create",
                bot,
                caller.user(),
                caller.key().prefix(),
                Correlation.of(request).orElse(null),
                Instant.now(),
                true,
                null);
    }

    /**
     * Update a bot. Replaces all settings; missing ones get their defaults. The token is replaced only if it is given.
     * Requires If-Match with the ETag that was read.
     */
    @RequiresCapability(Capability.BOT_MANAGE)
    @Audited(source = "bot", action = "update")
    @Put("/{bot}")
    HttpResponse<BotView> change(
            @PathVariable String project,
            @PathVariable String bot,
            @Body BotRequest body,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        return responseWithETag(
                bots.change(caller, requireProject(caller, project), bot, body, ifMatch), HttpStatus.OK);
    }

    /**
     * Delete a bot. The bot stops at once, and its token is deleted. Conversations are kept; the project can create it
     * again.
     */
    @RequiresCapability(Capability.BOT_MANAGE)
    @Audited(source = "bot", action = "delete")
    @Delete("/{bot}")
    @ApiResponse(responseCode = "204", description = "The bot was removed.")
    HttpResponse<Void> remove(
            @PathVariable String project,
            @PathVariable String bot,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        bots.remove(caller, requireProject(caller, project), bot, ifMatch);
        return HttpResponse.noContent();
    }

    /** Bots exist only on the default host. */
    private static Project requireProject(Caller caller, String project) {
        Project targetProject = caller.require(Capability.BOT_MANAGE, project);
        if (!targetProject.host().equals(Caller.DEFAULT_HOST)) {
            throw new ApiException(
                    HttpStatus.NOT_IMPLEMENTED,
                    "bots_of_other_hosts",
                    "Bots are only available in projects of the installation's default host.");
        }
        return targetProject;
    }

    private static HttpResponse<BotView> responseWithETag(BotView bot, HttpStatus status) {
        var answer = HttpResponse.status(status).body(bot);
        return bot.version() == null ? answer : answer.header("ETag", IfMatch.tag(bot.version()));
    }
}
