package dev.parley.control.projects;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.http.Columns;
import dev.parley.control.outbox.Published;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.IfMatch;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Who is in a project. Exactly one of them owns it, and that changes only when the owner hands it over. */
@Singleton
@Requires(property = "parley.role.control", value = "true")
final class Members {
    private static final String SELECT = """
            SELECT m.user_id, u.username, u.avatar_url, m.role, m.permissions, m.joined_ts, m.invited_by,
              m.active AND h.active AND u.active AS active, m.aggregate_version
            FROM control.project_member_t m JOIN control.user_t u USING (user_id)
            JOIN control.user_host_t h ON h.host_id = m.host_id AND h.user_id = m.user_id
            """;
    /** Who was taken out of the project, or is removed from the host, is not there. */
    private static final String THERE = " AND m.active AND h.active AND u.active";

    private static final int MOST = 1_000;

    private final Database database;
    private final Published published;

    Members(Database database, Published published) {
        this.database = database;
        this.published = published;
    }

    /** Somebody in a project. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "Member", description = "Somebody in a project.")
    record MemberJson(
            UUID user,
            String username,
            @Nullable String avatarUrl,

            @Schema(description = "owner, admin, member or viewer.")
            String role,

            @Schema(
                    description =
                            "What is allowed or denied before what the role says: {\"session.create\": \"allow\"}.",
                    type = "object")
            JsonNode permissions,

            Instant joinedAt,
            @Nullable UUID invitedBy,

            @Schema(description = "false: they were taken out, or removed.")
            boolean active,

            @JsonIgnore long version) {
        static MemberJson of(ResultSet row) throws SQLException {
            return new MemberJson(
                    Columns.uuid(row, "user_id"),
                    row.getString("username"),
                    row.getString("avatar_url"),
                    row.getString("role"),
                    Columns.json(row, "permissions"),
                    Columns.time(row, "joined_ts"),
                    Columns.uuidOrNull(row, "invited_by"),
                    row.getBoolean("active"),
                    row.getLong("aggregate_version"));
        }
    }

    /** In the order in which they came; who is not there any more only when asked for. */
    List<MemberJson> list(Caller caller, Project project, boolean inactive) {
        return database.in(
                caller.tenant().project(project.project()),
                transaction -> transaction.query(
                        SELECT + "WHERE m.project_id = ?" + (inactive ? "" : THERE)
                                + " ORDER BY m.joined_ts, m.user_id LIMIT " + MOST,
                        row -> Columns.all(row, MemberJson::of),
                        project.project()));
    }

    private static Optional<MemberJson> find(Transaction transaction, Project project, UUID user) {
        return transaction.query(
                SELECT + "WHERE m.project_id = ? AND m.user_id = ?" + THERE,
                row -> Columns.first(row, MemberJson::of),
                project.project(),
                user);
    }

    /** @param name username or e-mail address, where there is no id */
    private static UUID user(Transaction transaction, Caller caller, @Nullable UUID id, @Nullable String name) {
        return transaction
                .query(
                        """
                        SELECT u.user_id FROM control.user_t u JOIN control.user_host_t h USING (user_id)
                        WHERE h.host_id = ? AND h.active AND u.active
                          AND (u.user_id = ? OR u.username_key = lower(?)
                               OR (u.email_key = lower(?) AND u.email_proved_ts IS NOT NULL))
                        """,
                        row -> Columns.first(row, one -> Columns.uuid(one, "user_id")),
                        caller.host(),
                        id,
                        name,
                        name)
                .orElseThrow(() -> ApiException.notFound("unknown_user", "There is no such user"));
    }

    /** Takes somebody in. @throws ApiException 404 where there is no such user, 409 where they are in already */
    MemberJson add(
            Caller caller, Project project, @Nullable UUID id, @Nullable String name, String role, String permissions) {
        MemberJson added = database.in(caller.tenant().project(project.project()), transaction -> {
            UUID user = user(transaction, caller, id, name);
            int rows = transaction.update(
                    """
                    INSERT INTO control.project_member_t AS m
                      (host_id, project_id, user_id, role, permissions, invited_by, update_user)
                    VALUES (?, ?, ?, ?, ?::jsonb, ?, ?)
                    ON CONFLICT (host_id, project_id, user_id) DO UPDATE SET role = excluded.role, active = true,
                      permissions = excluded.permissions, invited_by = excluded.invited_by, joined_ts = now(),
                      aggregate_version = m.aggregate_version + 1, update_ts = now(), update_user = excluded.update_user
                    WHERE NOT m.active
                    """,
                    caller.host(),
                    project.project(),
                    user,
                    role,
                    permissions,
                    caller.person().user(),
                    caller.user());
            if (rows == 0) {
                throw new ApiException(HttpStatus.CONFLICT, "already_member", "They are in this project already.");
            }
            audit(transaction, caller, project, "add", user);
            return find(transaction, project, user).orElseThrow();
        });
        published.await(Member.key(project.project(), added.user()), added.version());
        return added;
    }

    private static void audit(Transaction transaction, Caller caller, Project project, String action, UUID user) {
        Audit.add(transaction, Entry.done(caller.host(), project.project(), "member", action, user, caller.user()));
    }

    private static MemberJson locked(Transaction transaction, Project project, UUID user) {
        transaction.query(
                "SELECT FROM control.project_member_t WHERE project_id = ? AND user_id = ? FOR UPDATE",
                row -> true,
                project.project(),
                user);
        MemberJson member = find(transaction, project, user)
                .orElseThrow(() -> ApiException.notFound("unknown_member", "They are not in this project"));
        if (member.role().equals("owner")) {
            throw new ApiException(
                    HttpStatus.FORBIDDEN,
                    "owner",
                    "The owner stays the owner until the project is handed over: POST …/transfer.");
        }
        return member;
    }

    /** Changes what somebody is. @throws ApiException 403 for the owner, 412 or 428 as {@link IfMatch} says */
    MemberJson change(
            Caller caller,
            Project project,
            UUID user,
            @Nullable String role,
            @Nullable String permissions,
            @Nullable String ifMatch) {
        MemberJson changed = database.in(caller.tenant().project(project.project()), transaction -> {
            IfMatch.require(ifMatch, locked(transaction, project, user).version());
            transaction.update("""
                    UPDATE control.project_member_t SET role = coalesce(?, role), permissions = coalesce(?::jsonb, permissions),
                      aggregate_version = aggregate_version + 1, update_ts = now(), update_user = ?
                    WHERE project_id = ? AND user_id = ?
                    """, role, permissions, caller.user(), project.project(), user);
            audit(transaction, caller, project, "change", user);
            return find(transaction, project, user).orElseThrow();
        });
        published.await(Member.key(project.project(), user), changed.version());
        return changed;
    }

    /** Takes somebody out. @throws ApiException 403 for the owner */
    void remove(Caller caller, Project project, UUID user, @Nullable String ifMatch) {
        database.in(caller.tenant().project(project.project()), transaction -> {
            IfMatch.check(ifMatch, locked(transaction, project, user).version());
            transaction.update("""
                    UPDATE control.project_member_t SET active = false, aggregate_version = aggregate_version + 1,
                      update_ts = now(), update_user = ? WHERE project_id = ? AND user_id = ?
                    """, caller.user(), project.project(), user);
            audit(transaction, caller, project, "remove", user);
            return null;
        });
        published.await(Member.key(project.project(), user), null);
    }

    /** Hands the project over to another member; the one before stays as an admin. */
    MemberJson transfer(Caller caller, Project project, UUID to) {
        MemberJson owner = database.in(caller.tenant().project(project.project()), transaction -> {
            transaction.query(
                    "SELECT FROM control.project_t WHERE project_id = ? FOR UPDATE", row -> true, project.project());
            MemberJson heir = find(transaction, project, to)
                    .orElseThrow(() -> ApiException.notFound("unknown_member", "They are not in this project"));
            if (heir.role().equals("owner")) {
                return heir;
            }
            become(transaction, caller, project, "role = 'owner'", "admin");
            become(transaction, caller, project, "user_id = '" + to + "'", "owner");
            transaction.update("""
                    UPDATE control.project_t SET owner_id = ?, aggregate_version = aggregate_version + 1, update_ts = now(),
                      update_user = ? WHERE project_id = ?
                    """, to, caller.user(), project.project());
            audit(transaction, caller, project, "transfer", to);
            return find(transaction, project, to).orElseThrow();
        });
        published.await(Member.key(project.project(), to), owner.version());
        return owner;
    }

    private static void become(Transaction transaction, Caller caller, Project project, String who, String role) {
        transaction.update("""
                UPDATE control.project_member_t SET role = ?, aggregate_version = aggregate_version + 1, update_ts = now(),
                  update_user = ? WHERE project_id = ? AND active AND %s
                """.formatted(who), role, caller.user(), project.project());
    }
}
