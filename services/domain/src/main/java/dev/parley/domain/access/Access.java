package dev.parley.domain.access;

import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.definition.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * Decides what somebody may do. A capability is there when the role or a rule of the membership gives it and the key that was
 * shown opens it, too; an administrator of the host has all of them.
 */
public final class Access {

    /** What is decided. */
    public enum Decision {
        /** Yes. */
        ALLOWED,
        /** No; that it is there is no secret. */
        FORBIDDEN,
        /** No, and the asker is not told whether it is there. */
        HIDDEN,
        /** Not while the project is archived. */
        ARCHIVED
    }

    private Access() {}

    /**
     * Something in a project.
     *
     * @param project null where there is no such project
     * @param member null where the person is not in the project
     */
    public static Decision inProject(
            Capability capability, Account person, AccessKey key, @Nullable Project project, @Nullable Member member) {
        if (project == null || !isVisible(person, key, project, member)) {
            return Decision.HIDDEN;
        }
        boolean has = person.admin() || (member != null && member.allows(capability));
        if (!has || !key.opens(capability)) {
            return Decision.FORBIDDEN;
        }
        return project.archived() && !capability.reads() ? Decision.ARCHIVED : Decision.ALLOWED;
    }

    private static boolean isVisible(Account person, AccessKey key, Project project, @Nullable Member member) {
        boolean opened = key.project() == null || key.project().equals(project.project());
        boolean in = person.admin() || member != null;
        return person.active() && person.host().equals(project.host()) && opened && in;
    }

    /** Something that is the host's or the person's own. */
    public static Decision inHost(Capability capability, Account person, AccessKey key) {
        boolean own = switch (capability) {
            case PROJECT_CREATE, KEY_MANAGE, CREDENTIAL_MANAGE, PROFILE_WRITE, MCP_ANSWER -> true;
            default -> person.admin();
        };
        // A key of one project opens nothing beyond it.
        boolean opens = key.project() == null && key.opens(capability);
        return person.active() && own && opens ? Decision.ALLOWED : Decision.FORBIDDEN;
    }

    /**
     * Whether an endpoint may be used now. Administrators of the host may wherever it may be used at all.
     *
     * @param project key of the project in which somebody wants to
     * @param person for whom, as they are now; null where nobody is known, or they may do nothing any more
     * @param member what the person is in the project, or null
     */
    public static boolean isOpen(Endpoint endpoint, String project, @Nullable Account person, @Nullable Member member) {
        if (!endpoint.projects().isEmpty() && !endpoint.projects().contains(project)) {
            return false;
        }
        boolean anyRole = endpoint.roles().isEmpty() && endpoint.users().isEmpty();
        if (endpoint.projects().isEmpty() && anyRole) {
            return true;
        }
        if (person == null || !person.active()) {
            return false;
        }
        return person.admin()
                || endpoint.users().contains(person.user())
                || member != null
                        && (anyRole || endpoint.roles().contains(member.role().code()));
    }
}
