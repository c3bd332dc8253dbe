package dev.parley.control.projects;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.http.JsonColumns;
import dev.parley.control.outbox.PublicationBarrier;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.ProjectRole;
import dev.parley.domain.access.RightsChange.Change.OfMember;
import dev.parley.platform.database.Database;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.IfMatch;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Members of a project. Exactly one owns it; ownership changes only by transfer. */
@Singleton
final class Members {
    private static final int MAX_LISTED = 1_000;

    private final Database database;
    private final Audit audit;
    private final MemberRows rows;
    private final PublicationBarrier published;

    Members(Database database, MemberRows rows, PublicationBarrier published, Audit audit) {
        this.audit = audit;
        this.database = database;
        this.rows = rows;
        this.published = published;
    }

    /** The members in the order in which they joined. */
    List<MemberJson> list(Caller caller, Project project, boolean inactive) {
        return database.in(
                caller.tenant().project(project.project()), () -> rows.list(project.project(), inactive, MAX_LISTED));
    }

    private MemberJson find(Project project, UUID user) {
        return rows.find(project.project(), user)
                .orElseThrow(() -> ApiException.notFound("unknown_member", "This user is not a member of the project"));
    }

    /**
     * Adds a member.
     *
     * @throws ApiException 404 where the user does not exist, 409 where they are already a member
     */
    MemberJson add(
            Caller caller, Project project, @Nullable UUID id, @Nullable String name, String role, String permissions) {
        MemberJson member = database.in(caller.tenant().project(project.project()), () -> {
            UUID user = rows.user(caller.host(), id, name)
                    .orElseThrow(() -> ApiException.notFound("unknown_user", "There is no such user in this host"));
            Member after = MemberJson.member(project, user, role, JsonColumns.tree(permissions));
            caller.requireChange(new OfMember(user, null, after), project);
            int added = rows.add(
                    caller.host(),
                    project.project(),
                    user,
                    role,
                    permissions,
                    caller.person().user(),
                    caller.user());
            if (added == 0) {
                throw new ApiException(
                        HttpStatus.CONFLICT, "already_member", "This user is already a member of the project.");
            }
            audit(caller, project, "add", user);
            return find(project, user);
        });
        published.await(Member.key(project.project(), member.user()), member.version());
        return member;
    }

    private void audit(Caller caller, Project project, String action, UUID user) {
        audit.add(Entry.done(caller.host(), project.project(), "member", action, user, caller.user()));
    }

    private MemberJson requireForUpdate(Project project, UUID user) {
        rows.lock(project.project(), user);
        MemberJson member = find(project, user);
        if (member.role().equals("owner")) {
            throw new ApiException(
                    HttpStatus.FORBIDDEN,
                    "owner",
                    "The owner cannot be changed or removed: transfer the project with POST …/transfer.");
        }
        return member;
    }

    /**
     * Changes a member.
     *
     * @throws ApiException 403 for the owner and as {@link dev.parley.domain.access.RightsChange} says, 412 or 428 as {@link IfMatch} says
     */
    MemberJson change(
            Caller caller,
            Project project,
            UUID user,
            @Nullable String role,
            @Nullable String permissions,
            @Nullable String ifMatch) {
        MemberJson changed = database.in(caller.tenant().project(project.project()), () -> {
            MemberJson before = requireForUpdate(project, user);
            caller.requireChange(
                    new OfMember(user, before.member(project), with(before, project, role, permissions)), project);
            IfMatch.require(ifMatch, before.version());
            rows.change(project.project(), user, role, permissions, caller.user());
            audit(caller, project, "change", user);
            return find(project, user);
        });
        published.await(Member.key(project.project(), user), changed.version());
        return changed;
    }

    private static Member with(
            MemberJson before, Project project, @Nullable String role, @Nullable String permissions) {
        return MemberJson.member(
                project,
                before.user(),
                role == null ? before.role() : role,
                permissions == null ? before.permissions() : JsonColumns.tree(permissions));
    }

    /**
     * Removes a member.
     *
     * @throws ApiException 403 for the owner
     */
    void remove(Caller caller, Project project, UUID user, @Nullable String ifMatch) {
        database.in(caller.tenant().project(project.project()), () -> {
            MemberJson before = requireForUpdate(project, user);
            caller.requireChange(new OfMember(user, before.member(project), null), project);
            IfMatch.check(ifMatch, before.version());
            rows.remove(project.project(), user, caller.user());
            audit(caller, project, "remove", user);
        });
        published.await(Member.key(project.project(), user), null);
    }

    /** Transfers the project to another member; the previous owner stays as admin. */
    MemberJson transfer(Caller caller, Project project, UUID to) {
        MemberJson owner = database.in(caller.tenant().project(project.project()), () -> {
            rows.lockProject(project.project());
            MemberJson newOwner = find(project, to);
            if (newOwner.role().equals("owner")) {
                return newOwner;
            }
            Member after = with(newOwner, project, ProjectRole.OWNER.code(), null);
            caller.requireChange(new OfMember(to, newOwner.member(project), after), project);
            rows.demoteOwner(project.project(), caller.user());
            rows.change(project.project(), to, "owner", null, caller.user());
            rows.setOwner(project.project(), to, caller.user());
            audit(caller, project, "transfer", to);
            return find(project, to);
        });
        published.await(Member.key(project.project(), to), owner.version());
        return owner;
    }
}
