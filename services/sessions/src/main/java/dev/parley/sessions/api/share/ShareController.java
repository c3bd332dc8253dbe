package dev.parley.sessions.api.share;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.domain.access.Capability;
import dev.parley.domain.access.RightsChange.Change.OfGuests;
import dev.parley.domain.access.SessionStanding.Use;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.RequiresCapability;
import dev.parley.platform.http.network.PublicUrl;
import dev.parley.sessions.api.SessionJson;
import dev.parley.sessions.api.Sessions;
import dev.parley.sessions.api.share.ShareLink.Shows;
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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Share links of sessions, for the owner of the session and for project leads. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Sharing", description = "Show a session to anyone who has a link.")
class ShareController {
    private static final Duration DEFAULT_LIFETIME = Duration.ofDays(30);
    private static final Duration MAX_LIFETIME = Duration.ofDays(366);

    private final Sessions sessions;
    private final ShareLinks links;
    private final PublicUrl url;

    ShareController(Sessions sessions, ShareLinks links, PublicUrl url) {
        this.sessions = sessions;
        this.links = links;
        this.url = url;
    }

    /**
     * A link to create.
     *
     * @param showReasoning True if the link shows reasoning. Defaults to false.
     * @param showToolOutputs True if the link shows arguments and results of tools. Defaults to false.
     * @param expiresAt Time at which the link expires, at most 366 days ahead. Defaults to 30 days ahead.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "NewShareLink")
    record NewJson(
            @Nullable Boolean showReasoning,
            @Nullable Boolean showToolOutputs,
            @Nullable Instant expiresAt) {
        static final NewJson DEFAULT = new NewJson(null, null, null);
    }

    /**
     * A link by which anyone can read a session.
     *
     * @param url The link; returned only when it is created.
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "ShareLink")
    record LinkJson(
            UUID id,
            @Nullable String url,
            boolean showReasoning,
            boolean showToolOutputs,
            Instant createdAt,
            Instant expiresAt) {
        static LinkJson of(ShareLink link, @Nullable String url) {
            return new LinkJson(
                    link.id(),
                    url,
                    link.shows().reasoning(),
                    link.shows().toolOutputs(),
                    link.createdAt(),
                    link.expiresAt());
        }

        /** Omits the secret. */
        @Override
        public String toString() {
            return "LinkJson[" + id + "]";
        }
    }

    /** The active links of a session, newest first. */
    @Serdeable
    @Schema(name = "ShareLinkList")
    record LinksJson(List<LinkJson> data) {}

    /**
     * Share a session. Creates a link by which anyone can read this session and nothing else, until it expires or is
     * revoked. The link is shown only once.
     */
    @RequiresCapability(Capability.SESSION_SHARE)
    @Audited(source = "session", action = "share")
    @Post(uris = {"/v1/sessions/{key}/share", "/v1/projects/{project}/sessions/{key}/share"})
    @ApiResponse(responseCode = "201", description = "The link was created.")
    HttpResponse<LinkJson> make(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @Nullable @Body NewJson body,
            Caller caller) {
        NewJson request = body == null ? NewJson.DEFAULT : body;
        caller.requireChange(
                new OfGuests(Set.of(Capability.SESSION_READ)), caller.require(Capability.SESSION_SHARE, project));
        SessionJson session = requireManageable(caller, project, key);
        var shows =
                new Shows(Boolean.TRUE.equals(request.showReasoning()), Boolean.TRUE.equals(request.showToolOutputs()));
        var created = links.make(
                caller, caller.session(project, key), session, shows, expiry(request.expiresAt(), caller.key()));
        String address = url.of("/s/" + created.token().text()).toString();
        return HttpResponse.created(LinkJson.of(created.link(), address)).header("Cache-Control", "no-store");
    }

    /** A link does not outlive the key that made it. */
    private static Instant expiry(@Nullable Instant requested, AccessKey key) {
        Instant expiry = expiry(requested);
        Instant end = key.kind() == KeyKind.API_KEY ? key.expiresAt() : null;
        return end != null && end.isBefore(expiry) ? end : expiry;
    }

    private static Instant expiry(@Nullable Instant requested) {
        Instant now = Instant.now();
        Instant expiry = requested == null ? now.plus(DEFAULT_LIFETIME) : requested;
        if (!expiry.isAfter(now) || expiry.isAfter(now.plus(MAX_LIFETIME))) {
            throw ApiException.badRequest(
                    "invalid_field", "The field 'expiresAt' is in the past, or more than a year ahead");
        }
        return expiry;
    }

    /**
     * List a session's links. Active links, newest first, without secrets.
     *
     * @return The links.
     */
    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/sessions/{key}/share", "/v1/projects/{project}/sessions/{key}/share"})
    LinksJson list(@Nullable @PathVariable String project, @PathVariable String key, Caller caller) {
        SessionJson session = requireManageable(caller, project, key);
        return new LinksJson(links.list(caller.tenant(project), session.id()).stream()
                .map(link -> LinkJson.of(link, null))
                .toList());
    }

    /** Revoke a link. The link stops working at once. */
    @RequiresCapability(Capability.SESSION_SHARE)
    @Audited(source = "session", action = "unshare")
    @Delete(uris = {"/v1/sessions/{key}/share/{id}", "/v1/projects/{project}/sessions/{key}/share/{id}"})
    @ApiResponse(responseCode = "204", description = "The link was revoked.")
    HttpResponse<Void> revoke(
            @Nullable @PathVariable String project, @PathVariable String key, @PathVariable UUID id, Caller caller) {
        SessionJson session = requireManageable(caller, project, key);
        if (!links.revoke(caller, caller.tenant(project), session.id(), id)) {
            throw ApiException.notFound("unknown_link", "The session has no such link");
        }
        return HttpResponse.noContent();
    }

    /** The session, if the caller is its owner or a project lead: read access is not enough. */
    private SessionJson requireManageable(Caller caller, @Nullable String project, String key) {
        SessionJson session = sessions.find(caller, project, key);
        if (!mayManageLinks(caller, project, session.user())) {
            throw new ApiException(
                    HttpStatus.FORBIDDEN,
                    "forbidden",
                    "Only the owner of the session and project leads can manage its links.");
        }
        return session;
    }

    /** Whether the caller may manage share links of a session of this owner. */
    static boolean mayManageLinks(Caller caller, @Nullable String project, @Nullable String owner) {
        return caller.standing(project, owner).allows(Use.MANAGE);
    }
}
