package dev.parley.channels.web;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.Capability;
import dev.parley.domain.protocol.Outcome.RemindersListed;
import dev.parley.domain.protocol.Reminder.QuietHours;
import dev.parley.domain.protocol.TurnCommand.CancelReminder;
import dev.parley.domain.protocol.TurnCommand.ListReminders;
import dev.parley.domain.protocol.TurnCommand.SetQuietHours;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.ReminderJson;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Put;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Routes of reminders. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.channels", value = "true")
@Tag(name = "Sessions", description = "Conversations with agents.")
class ReminderController {
    private final CallerCommands commands;

    ReminderController(CallerCommands commands) {
        this.commands = commands;
    }

    /**
     * Hours of each day in which a person's reminders wait.
     *
     * @param user The person, the caller in requests.
     * @param from Begin on the clock, such as 22:00.
     * @param to End on the clock, such as 07:00.
     * @param timeZone Zone of the clock, such as Europe/Berlin.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "QuietHours")
    record QuietHoursJson(
            @Nullable String user,
            @Nullable String from,
            @Nullable String to,
            @Nullable String timeZone) {}

    /**
     * The reminders of a session.
     *
     * @param data The reminders, the next one first.
     * @param quiet The quiet hours of people.
     */
    @Serdeable
    @Schema(name = "Reminders")
    record RemindersJson(List<ReminderJson> data, List<QuietHoursJson> quiet) {}

    /** List a session's reminders. The next one is first. */
    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/sessions/{key}/reminders", "/v1/projects/{project}/sessions/{key}/reminders"})
    RemindersJson list(@Nullable @PathVariable String project, @PathVariable String key, Caller caller) {
        RecordKey session = caller.session(project, key);
        if (commands.execute(session, new ListReminders(commands.meta(caller, session)))
                        .orElse(null)
                instanceof RemindersListed listed) {
            return new RemindersJson(
                    listed.reminders().stream().map(ReminderJson::of).toList(),
                    listed.quiet().stream()
                            .map(hours -> new QuietHoursJson(hours.user(), hours.from(), hours.to(), hours.timeZone()))
                            .toList());
        }
        throw new ApiException(HttpStatus.SERVICE_UNAVAILABLE, "unavailable", "The session does not answer now.");
    }

    /** Cancel a reminder. Project admins can cancel those of others. */
    @RequiresCapability(Capability.SESSION_SEND)
    @Audited(source = "reminder", action = "cancel")
    @Delete(uris = {"/v1/sessions/{key}/reminders/{id}", "/v1/projects/{project}/sessions/{key}/reminders/{id}"})
    @ApiResponse(responseCode = "204", description = "The reminder was cancelled.")
    @ApiResponse(responseCode = "404", description = "There is no such reminder of the caller.")
    HttpResponse<?> cancel(
            @Nullable @PathVariable String project, @PathVariable String key, @PathVariable UUID id, Caller caller) {
        RecordKey session = caller.session(project, key);
        commands.execute(session, new CancelReminder(commands.meta(caller, session), id));
        return HttpResponse.noContent();
    }

    /** Set the caller's quiet hours. In these hours the caller's reminders of this session wait. */
    @RequiresCapability(Capability.SESSION_SEND)
    @Put(uris = {"/v1/sessions/{key}/quiet-hours", "/v1/projects/{project}/sessions/{key}/quiet-hours"})
    @ApiResponse(responseCode = "204", description = "The hours were set.")
    HttpResponse<?> setQuietHours(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @Body QuietHoursJson hours,
            Caller caller) {
        return setQuietHours(caller, caller.session(project, key), hours(caller, hours));
    }

    private static QuietHours hours(Caller caller, QuietHoursJson hours) {
        try {
            return new QuietHours(caller.user(), text(hours.from()), text(hours.to()), text(hours.timeZone()));
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest("invalid_quiet_hours", String.valueOf(e.getMessage()));
        }
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }

    /** End the caller's quiet hours. */
    @RequiresCapability(Capability.SESSION_SEND)
    @Delete(uris = {"/v1/sessions/{key}/quiet-hours", "/v1/projects/{project}/sessions/{key}/quiet-hours"})
    @ApiResponse(responseCode = "204", description = "There are no quiet hours.")
    HttpResponse<?> endQuietHours(@Nullable @PathVariable String project, @PathVariable String key, Caller caller) {
        return setQuietHours(caller, caller.session(project, key), null);
    }

    private HttpResponse<?> setQuietHours(Caller caller, RecordKey session, @Nullable QuietHours hours) {
        commands.execute(session, new SetQuietHours(commands.meta(caller, session), hours));
        return HttpResponse.noContent();
    }
}
