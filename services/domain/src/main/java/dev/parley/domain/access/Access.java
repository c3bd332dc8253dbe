package dev.parley.domain.access;

import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.definition.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * The access check. A capability is granted if the role or a rule of the membership allows it, and the presented key
 * includes it; host administrators have all capabilities.
 */
public final class Access {

    /** The result of an access check. */
    public enum Decision {
        ALLOWED,
        /** Denied; the caller may know that the object exists. */
        FORBIDDEN,
        /** Denied; reported to the caller as not found. */
        HIDDEN,
        /** Denied while the project is archived. */
        ARCHIVED
    }

    private Access() {}

    /**
     * Checks a capability in a project.
     *
     * @param project null if it does not exist
     * @param member null if the user is not a member
     */
    public static Decision inProject(
            Capability capability, Account person, AccessKey key, @Nullable Project project, @Nullable Member member) {
        if (project == null || !isVisible(person, key, project, member)) {
            return Decision.HIDDEN;
        }
        boolean isGranted = person.admin() || (member != null && member.allows(capability));
        if (!isGranted || !key.opens(capability)) {
            return Decision.FORBIDDEN;
        }
        return project.archived() && !capability.reads() ? Decision.ARCHIVED : Decision.ALLOWED;
    }

    private static boolean isVisible(Account person, AccessKey key, Project project, @Nullable Member member) {
        boolean opened = key.project() == null || key.project().equals(project.project());
        boolean in = person.admin() || member != null;
        return person.active() && person.host().equals(project.host()) && opened && in;
    }

    /** Checks a capability that concerns the host or the user. */
    public static Decision inHost(Capability capability, Account person, AccessKey key) {
        boolean isGranted = switch (capability) {
            case PROJECT_CREATE, KEY_MANAGE, CREDENTIAL_MANAGE, PROFILE_WRITE, MCP_ANSWER -> true;
            default -> person.admin();
        };
        // A key limited to one project is not valid outside of it.
        boolean opens = key.project() == null && key.opens(capability);
        return person.active() && isGranted && opens ? Decision.ALLOWED : Decision.FORBIDDEN;
    }

    /**
     * Whether a turn may use an endpoint. Host administrators may in every project for which it is enabled.
     *
     * @param project key of the project
     * @param person the turn's user; null if unknown or deactivated
     * @param member the user's membership in the project, or null
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
