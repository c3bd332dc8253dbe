package dev.parley.channels.bots.people;

import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.domain.access.Capability;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
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
import java.util.UUID;

/** Routes of the caller's links with channels. */
@Controller("/v1/me/channel-links")
@Requires(beans = ParleyConfig.class)
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Profile")
class LinkController {
    private final ChannelLinks links;

    LinkController(ChannelLinks links) {
        this.links = links;
    }

    /**
     * A code that links a user of a channel with the caller's account.
     *
     * @param code Code to send to a bot in a private chat, as /link CODE; valid once.
     */
    @Serdeable
    @Schema(name = "LinkCode")
    record CodeJson(String code, Instant expiresAt) {
        /** Omits secrets. */
        @Override
        public String toString() {
            return "CodeJson[until " + expiresAt + "]";
        }
    }

    /**
     * A user of a channel who is linked with the caller's account.
     *
     * @param user Id of the user in the channel.
     * @param name Name of the user when the link was made.
     */
    @Serdeable
    @Schema(name = "ChannelLink")
    record LinkJson(UUID id, String bot, String user, String name, Instant since) {
        static LinkJson of(ChannelLink link) {
            return new LinkJson(link.id(), link.bot(), link.user(), link.name(), link.since());
        }
    }

    /** The caller's links with channels, newest first. */
    @Serdeable
    @Schema(name = "ChannelLinkList")
    record LinksJson(List<LinkJson> data) {}

    /**
     * Create a link code. The user who sends the code to a bot within ten minutes, as /link CODE in a private chat,
     * speaks there for the caller from then on. A new code replaces the previous one.
     */
    @RequiresCapability(Capability.PROFILE_WRITE)
    @Audited(source = "channel-link", action = "code")
    @Post
    @ApiResponse(responseCode = "201", description = "The code was created.")
    HttpResponse<CodeJson> code(Caller caller) {
        requireAll(caller.key());
        String code = links.code(caller.person().user());
        var json = new CodeJson(code, Instant.now().plus(ChannelLinks.LIFE));
        return HttpResponse.created(json).header("Cache-Control", "no-store");
    }

    /** A linked user has all rights of the account permanently, so a limited key must not create one. */
    private static void requireAll(AccessKey key) {
        boolean limited = key.project() != null || !key.permissions().contains(AccessKey.ALL);
        if (limited || (key.expiresAt() != null && key.kind() == KeyKind.API_KEY)) {
            throw new ApiException(
                    HttpStatus.FORBIDDEN,
                    "sign_in_required",
                    "A key that is limited, or expires, cannot link a channel: sign in first.");
        }
    }

    /**
     * List links with channels. The caller's links with channels.
     *
     * @return The links.
     */
    @Authenticated
    @Get
    LinksJson list(Caller caller) {
        return new LinksJson(
                links.of(caller.person().user()).stream().map(LinkJson::of).toList());
    }

    /**
     * Delete a link with a channel. Later messages of the user are no longer the caller's, and start a new
     * conversation.
     */
    @RequiresCapability(Capability.PROFILE_WRITE)
    @Audited(source = "channel-link", action = "remove")
    @Delete("/{id}")
    @ApiResponse(responseCode = "204", description = "The link was removed.")
    HttpResponse<Void> remove(@PathVariable UUID id, Caller caller) {
        if (!links.remove(caller.person().user(), id)) {
            throw ApiException.notFound("unknown_link", "You have no link with this id");
        }
        return HttpResponse.noContent();
    }
}
