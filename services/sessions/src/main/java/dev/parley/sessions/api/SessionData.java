package dev.parley.sessions.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.domain.access.Capability;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import dev.parley.platform.personal.PersonalArchive;
import dev.parley.platform.personal.PersonalData;
import dev.parley.sessions.api.Messages.Filter;
import dev.parley.sessions.api.SessionRows.OwnedSessions;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Personal data export of sessions: all epochs of the sessions that a user owns, and the files that their messages
 * name. Rows are read page by page.
 */
@Singleton
final class SessionData implements PersonalData {
    private static final int SESSION_PAGE = 100;
    /** Small, because messages may be large. */
    private static final int MESSAGE_PAGE = 20;

    private final Views views;
    private final SessionRows rows;
    private final Messages messages;
    private final Optional<BlobStore> blobs;

    SessionData(Views views, SessionRows rows, Messages messages, Optional<BlobStore> blobs) {
        this.views = views;
        this.rows = rows;
        this.messages = messages;
        this.blobs = blobs;
    }

    /** A line of an exported file: a session, or one of its messages. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Line(@Nullable SessionJson session, @Nullable MessageJson message) {}

    @Override
    public String part() {
        return "sessions";
    }

    @Override
    public void write(Caller caller, PersonalArchive archive) throws IOException {
        var files = new LinkedHashSet<String>();
        for (OwnedSessions owned : views.read(caller.tenant(), () -> rows.countOwned(caller.host(), caller.user()))) {
            if (caller.reads(owned.projectKey())) {
                archive.count("deletedSessionsLeftOut", owned.deleted());
                writeProject(caller, owned, archive, files);
            } else {
                archive.count("sessionsOfProjectsLeftOut", owned.shown());
            }
        }
        for (String sha256 : files) {
            writeFile(sha256, archive);
        }
    }

    private void writeProject(Caller caller, OwnedSessions owned, PersonalArchive archive, Set<String> files)
            throws IOException {
        Tenant tenant = caller.tenant().project(owned.projectId());
        @Nullable OutputStream out = null;
        @Nullable SessionJson last = null;
        List<SessionJson> page;
        do {
            page = sessions(caller, owned, tenant, last);
            for (SessionJson session : page) {
                if (last == null || out == null || !last.key().equals(session.key())) {
                    close(out);
                    out = archive.entry(fileName(owned, session));
                }
                archive.line(out, new Line(session, null));
                archive.count("sessions", 1);
                writeMessages(caller, owned, session, archive, out, files);
                last = session;
            }
        } while (page.size() == SESSION_PAGE);
        close(out);
    }

    private static String fileName(OwnedSessions owned, SessionJson session) {
        return "sessions/%s/%s.ndjson"
                .formatted(PersonalArchive.fileName(owned.projectKey()), PersonalArchive.fileName(session.key()));
    }

    private static void close(@Nullable OutputStream entry) throws IOException {
        if (entry != null) {
            entry.close();
        }
    }

    private List<SessionJson> sessions(Caller caller, OwnedSessions owned, Tenant tenant, @Nullable SessionJson after) {
        return views.read(
                tenant,
                () -> rows.owned(
                        caller.host(),
                        owned.projectId(),
                        caller.user(),
                        after == null ? "" : after.key(),
                        after == null ? -1 : after.epoch(),
                        SESSION_PAGE));
    }

    private void writeMessages(
            Caller caller,
            OwnedSessions owned,
            SessionJson session,
            PersonalArchive archive,
            OutputStream out,
            Set<String> files)
            throws IOException {
        Tenant tenant = caller.tenant().project(owned.projectId());
        var filter = new Filter(caller.host(), session.id(), caller.leads(owned.projectKey()), true);
        boolean readsFiles = caller.may(Capability.FILE_READ, owned.projectKey());
        @Nullable String next = null;
        do {
            Cursor after = Cursor.parse(next);
            Page<MessageJson> page = views.list(tenant, () -> messages.page(filter, false, after, MESSAGE_PAGE));
            for (MessageJson message : page.data()) {
                archive.line(out, new Line(null, message));
                if (readsFiles) {
                    message.parts().stream().flatMap(SessionData::fileHashes).forEach(files::add);
                }
            }
            archive.count("messages", page.data().size());
            next = page.next();
        } while (next != null);
    }

    private static Stream<String> fileHashes(PartJson part) {
        Stream<String> generated =
                part.files() == null ? Stream.empty() : part.files().stream().map(PartJson.GivenFile::sha256);
        return part.sha256() == null ? generated : Stream.concat(generated, Stream.of(part.sha256()));
    }

    private void writeFile(String sha256, PersonalArchive archive) throws IOException {
        Optional<Path> file = blobs.flatMap(store -> store.get(sha256));
        if (file.isEmpty()) {
            archive.count("filesMissing", 1);
            return;
        }
        try (var in = Files.newInputStream(file.get());
                OutputStream out = archive.bytes("files/" + sha256)) {
            in.transferTo(out);
            archive.count("files", 1);
        } catch (NoSuchFileException e) {
            archive.count("filesMissing", 1); // erased since it was found
        }
    }
}
