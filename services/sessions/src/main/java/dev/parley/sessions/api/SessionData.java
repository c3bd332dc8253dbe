package dev.parley.sessions.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.domain.access.Capability;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.database.Select;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.Caller;
import dev.parley.platform.personal.PersonalArchive;
import dev.parley.platform.personal.PersonalData;
import dev.parley.sessions.api.Messages.Placed;
import io.micronaut.context.annotation.Requires;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The sessions that somebody owns, with all epochs of their keys, as the API shows them; and the files that these name. */
@Singleton
@Requires(property = "parley.role.sessions", value = "true")
final class SessionData implements PersonalData {
    private static final int SESSIONS = 100;
    /** Messages may be large. */
    private static final int MESSAGES = 20;

    private final Views views;
    private final Optional<BlobStore> blobs;

    SessionData(Views views, Optional<BlobStore> blobs) {
        this.views = views;
        this.blobs = blobs;
    }

    /** A line of a file: first a session, then its messages. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Line(@Nullable SessionJson session, @Nullable MessageJson message) {}

    /** A project in which the caller owns sessions. */
    private record Place(UUID id, String key, long shown, long deleted) {}

    @Override
    public String part() {
        return "sessions";
    }

    @Override
    public void write(Caller caller, PersonalArchive archive) throws IOException {
        var files = new LinkedHashSet<String>();
        for (Place place : places(caller)) {
            if (caller.reads(place.key())) {
                archive.count("deletedSessionsLeftOut", place.deleted());
                project(caller, place, archive, files);
            } else {
                archive.count("sessionsOfProjectsLeftOut", place.shown());
            }
        }
        for (String sha256 : files) {
            file(sha256, archive);
        }
    }

    private List<Place> places(Caller caller) {
        var select = new Select("""
                SELECT j.project_id, j.project_key, count(*) FILTER (WHERE s.status <> 'deleted') AS shown,
                  count(*) FILTER (WHERE s.status = 'deleted') AS deleted
                FROM sessions.agent_session_t s JOIN sessions.project_t j USING (host_id, project_id)
                """)
                .with("WHERE s.host_id = ? AND s.user_id = ?", caller.host(), caller.user())
                .with("GROUP BY j.project_id, j.project_key ORDER BY j.project_key");
        return views.read(
                caller.tenant(),
                reading -> reading.list(
                        select,
                        row -> new Place(
                                Objects.requireNonNull(Views.uuid(row, "project_id")),
                                row.getString("project_key"),
                                row.getLong("shown"),
                                row.getLong("deleted"))));
    }

    private void project(Caller caller, Place place, PersonalArchive archive, Set<String> files) throws IOException {
        Tenant tenant = caller.tenant().project(place.id());
        @Nullable OutputStream out = null;
        @Nullable SessionJson last = null;
        List<SessionJson> page;
        do {
            page = sessions(caller, place, tenant, last);
            for (SessionJson session : page) {
                if (last == null || out == null || !last.key().equals(session.key())) {
                    end(out);
                    out = archive.entry("sessions/%s/%s.ndjson"
                            .formatted(PersonalArchive.fileName(place.key()), PersonalArchive.fileName(session.key())));
                }
                archive.line(out, new Line(session, null));
                archive.count("sessions", 1);
                messages(new Source(caller, place, tenant, session.id()), archive, out, files);
                last = session;
            }
        } while (page.size() == SESSIONS);
        end(out);
    }

    private static void end(@Nullable OutputStream entry) throws IOException {
        if (entry != null) {
            entry.close();
        }
    }

    private List<SessionJson> sessions(Caller caller, Place place, Tenant tenant, @Nullable SessionJson after) {
        var select = new Select("SELECT " + SessionJson.COLUMNS + " FROM sessions.agent_session_t s")
                .with("WHERE s.host_id = ? AND s.project_id = ?", caller.host(), place.id())
                .with("AND s.user_id = ? AND s.status <> 'deleted'", caller.user());
        if (after != null) {
            select.with("AND (s.session_key, s.epoch) > (?, ?)", after.key(), after.epoch());
        }
        select.with("ORDER BY s.session_key, s.epoch LIMIT ?", SESSIONS);
        return views.read(tenant, reading -> reading.list(select, SessionJson::of));
    }

    /** One session whose messages are read. */
    private record Source(Caller caller, Place place, Tenant tenant, UUID session) {
        Select select(@Nullable Placed after) {
            var select = new Select("SELECT " + MessageJson.COLUMNS + " FROM sessions.agent_message_t m")
                    .with("WHERE m.host_id = ? AND m.session_id = ?", caller.host(), session)
                    .with(caller.leads(place.key()) ? "" : "AND m.role <> 'system'");
            if (after != null) {
                select.with("AND (m.position, m.seq) > (?, ?)", after.position(), after.seq());
            }
            return select.with("ORDER BY m.position, m.seq LIMIT ?", MESSAGES);
        }

        boolean readsFiles() {
            return caller.may(Capability.FILE_READ, place.key());
        }
    }

    private void messages(Source source, PersonalArchive archive, OutputStream out, Set<String> files)
            throws IOException {
        @Nullable Placed last = null;
        List<Placed> page;
        do {
            Select select = source.select(last);
            page = views.read(
                    source.tenant(),
                    reading -> Messages.read(reading, source.caller().host(), select));
            for (Placed placed : page) {
                archive.line(out, new Line(null, placed.message()));
                if (source.readsFiles()) {
                    placed.message().parts().stream()
                            .flatMap(SessionData::named)
                            .forEach(files::add);
                }
                last = placed;
            }
            archive.count("messages", page.size());
        } while (page.size() == MESSAGES);
    }

    private static Stream<String> named(PartJson part) {
        Stream<String> made =
                part.files() == null ? Stream.empty() : part.files().stream().map(PartJson.GivenFile::sha256);
        return part.sha256() == null ? made : Stream.concat(made, Stream.of(part.sha256()));
    }

    private void file(String sha256, PersonalArchive archive) throws IOException {
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
            archive.count("filesMissing", 1); // it was erased in this moment
        }
    }
}
