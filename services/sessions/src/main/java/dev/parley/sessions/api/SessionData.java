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
import dev.parley.sessions.api.FeedbackRows.Given;
import dev.parley.sessions.api.Messages.Filter;
import dev.parley.sessions.api.SessionRows.OwnedSessions;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Personal data export of sessions: all epochs of the sessions that a user owns, the files that their messages name,
 * and the user's opinions of turns. Rows are read page by page.
 */
@Singleton
final class SessionData implements PersonalData {
    private static final int SESSION_PAGE = 100;
    private static final int OPINION_PAGE = 500;
    /** Small, because messages may be large. */
    private static final int MESSAGE_PAGE = 20;

    private final Views views;
    private final SessionRows rows;
    private final Messages messages;
    private final FeedbackRows opinions;
    private final Optional<BlobStore> blobs;

    SessionData(Views views, SessionRows rows, Messages messages, FeedbackRows opinions, Optional<BlobStore> blobs) {
        this.views = views;
        this.rows = rows;
        this.messages = messages;
        this.opinions = opinions;
        this.blobs = blobs;
    }

    /** A line of an exported file: a session, or one of its messages. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Line(@Nullable SessionJson session, @Nullable MessageJson message) {}

    /** A line of the exported opinions; a reason is the person's own words. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record OpinionLine(
            String project,
            String session,
            UUID turn,
            String opinion,
            @Nullable String emoji,
            @Nullable String text,
            Instant at) {
        static OpinionLine of(Given given) {
            return new OpinionLine(
                    given.projectKey(),
                    given.sessionKey(),
                    given.turnId(),
                    given.opinion(),
                    given.emoji(),
                    given.reason(),
                    given.givenTs());
        }
    }

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
        writeOpinions(caller, archive);
        for (String sha256 : files) {
            writeFile(sha256, archive);
        }
    }

    /** What the person thinks of turns, also of those in sessions of others. */
    private void writeOpinions(Caller caller, PersonalArchive archive) throws IOException {
        try (OutputStream out = archive.entry("opinions.ndjson")) {
            List<Given> page;
            @Nullable Given last = null;
            do {
                page = opinions(caller, last);
                for (Given given : page) {
                    if (caller.reads(given.projectKey())) {
                        archive.line(out, OpinionLine.of(given));
                        archive.count("opinions", 1);
                    } else {
                        archive.count("opinionsOfProjectsLeftOut", 1);
                    }
                }
                last = page.isEmpty() ? null : page.getLast();
            } while (page.size() == OPINION_PAGE);
        }
    }

    private List<Given> opinions(Caller caller, @Nullable Given last) {
        return views.read(
                caller.tenant(),
                () -> opinions.ofPerson(
                        caller.host(),
                        caller.user(),
                        last == null ? null : last.givenTs(),
                        last == null ? null : last.turnId(),
                        last == null || last.emoji() == null ? "" : last.emoji(),
                        OPINION_PAGE));
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
