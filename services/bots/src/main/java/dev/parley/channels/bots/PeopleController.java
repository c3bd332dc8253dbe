package dev.parley.channels.bots;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.channels.bots.people.AllowedPeople;
import dev.parley.channels.bots.people.ChannelPerson;
import dev.parley.domain.access.Capability;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Routes of the users admitted to a bot. */
@Controller("/v1/bots/{bot}/people")
@Requires(beans = ParleyConfig.class)
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Bots", description = "State of bots, and the users who may talk to them.")
class PeopleController {
    private final BotAccess access;
    private final AllowedPeople people;

    PeopleController(BotAccess access, AllowedPeople people) {
        this.access = access;
        this.people = people;
    }

    /**
     * A user who was admitted with a code.
     *
     * @param user Id of the user in the channel.
     * @param name Name of the user at the time of admission.
     */
    @Serdeable
    @Schema(name = "Person")
    record PersonJson(String user, String name, Instant since) {
        static PersonJson of(ChannelPerson person) {
            return new PersonJson(person.user(), person.name(), person.since());
        }
    }

    /** The users admitted with a code. */
    @Serdeable
    @Schema(name = "PersonList")
    record PeopleJson(List<PersonJson> data) {}

    /** A code that the bot gave to a user. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "Code")
    record CodeJson(@Nullable String code) {}

    /** Admit a person. A bot gives unknown users a code, valid for one hour. Submitting it here admits the user. */
    @Authenticated
    @Audited(source = "bot-person", action = "allow")
    @Post
    @ApiResponse(responseCode = "201", description = "The user was admitted.")
    HttpResponse<PersonJson> allow(@PathVariable String bot, @Body CodeJson body, Caller caller) {
        access.requireAdmission(caller, bot);
        String code = body.code();
        if (code == null || code.isBlank() || code.length() > 32) {
            throw ApiException.badRequest("missing_field", "The field 'code' is missing: the code that the bot gave");
        }
        return people.allow(bot, code)
                .map(person -> HttpResponse.created(PersonJson.of(person)))
                .orElseThrow(() ->
                        new ApiException(HttpStatus.NOT_FOUND, "unknown_code", "This code is unknown or has expired."));
    }

    /** List people. The users admitted with a code; the settings may list others. */
    @Authenticated
    @Get
    PeopleJson list(@PathVariable String bot, Caller caller) {
        access.require(caller, Capability.BOT_MANAGE, bot);
        return new PeopleJson(people.people(bot).stream().map(PersonJson::of).toList());
    }

    /** Remove a person. The user can no longer talk to the bot, unless its settings allow it. */
    @Authenticated
    @Audited(source = "bot-person", action = "remove")
    @Delete("/{user}")
    @ApiResponse(responseCode = "204", description = "The admission was withdrawn.")
    HttpResponse<Void> remove(@PathVariable String bot, @PathVariable String user, Caller caller) {
        access.require(caller, Capability.BOT_MANAGE, bot);
        if (!people.remove(bot, user)) {
            throw new ApiException(HttpStatus.NOT_FOUND, "unknown_person", "This user was not admitted.");
        }
        return HttpResponse.noContent();
    }
}
