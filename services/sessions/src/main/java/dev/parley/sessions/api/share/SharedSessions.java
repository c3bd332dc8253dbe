package dev.parley.sessions.api.share;

import dev.parley.domain.access.Access.Decision;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import dev.parley.sessions.api.MessageJson;
import dev.parley.sessions.api.Messages;
import dev.parley.sessions.api.Messages.Filter;
import dev.parley.sessions.api.SessionRows;
import dev.parley.sessions.api.SessionRows.Shared;
import dev.parley.sessions.api.Views;
import dev.parley.sessions.api.share.SharedJson.SharedMessage;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads sessions by share link. A link is suspended while its creator lacks the permission to share the session, and
 * while the project is archived.
 */
@Singleton
final class SharedSessions {
    private final ShareLinks links;
    private final Views views;
    private final SessionRows rows;
    private final Messages messages;
    private final AccessDirectory directory;

    SharedSessions(
            ShareLinks links, Views views, SessionRows rows, Messages messages, Optional<AccessDirectory> directory) {
        this.links = links;
        this.views = views;
        this.rows = rows;
        this.messages = messages;
        this.directory = directory.orElse(AccessDirectory.NOTHING);
    }

    private record Opened(ShareLink link, Tenant tenant, Shared session) {}

    /**
     * A page of the session.
     *
     * @throws ApiException 404 where the link is not valid, whatever the reason
     */
    SharedJson read(String secret, int max, @Nullable Cursor after) {
        Opened opened = open(secret);
        ShareLink link = opened.link();
        var filter = new Filter(link.host(), link.session(), false, false);
        Page<MessageJson> page = views.list(opened.tenant(), () -> messages.page(filter, false, after, max));
        List<SharedMessage> shown = page.data().stream()
                .map(message -> SharedMessage.of(message, link.shows()))
                .toList();
        Shared session = opened.session();
        return new SharedJson(
                Masking.of(session.title()),
                session.createdTs(),
                session.updateTs(),
                link.expiresAt(),
                shown,
                page.next());
    }

    /** @throws ApiException 404 where the link is not valid, or its session does not show this file */
    void requireFile(String secret, String sha256) {
        Opened opened = open(secret);
        ShareLink link = opened.link();
        if (!views.read(opened.tenant(), () -> rows.isFileShared(link.host(), link.session(), sha256))) {
            throw unknownLink();
        }
    }

    private Opened open(String secret) {
        ShareLink link = links.find(secret).orElseThrow(SharedSessions::unknownLink);
        Tenant tenant = Tenant.of(link.host()).project(link.project());
        return views.read(tenant, () -> rows.findShared(link.host(), link.session()))
                .filter(session -> mayShow(link, session))
                .map(session -> new Opened(link, tenant, session))
                .orElseThrow(SharedSessions::unknownLink);
    }

    private boolean mayShow(ShareLink link, Shared session) {
        Project project = directory.project(link.projectKey()).orElse(null);
        return Caller.inNameOf(link.host(), link.maker(), directory)
                .filter(maker -> maker.decide(Capability.SESSION_SHARE, project) == Decision.ALLOWED)
                .filter(maker -> ShareController.mayManageLinks(maker, link.projectKey(), session.userId()))
                .isPresent();
    }

    /** The response does not reveal why the link is not valid. */
    static ApiException unknownLink() {
        return ApiException.notFound("unknown_link", "This link is not valid, or no longer valid");
    }
}
