package dev.parley.domain.workflow;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A human task of a workflow process.
 *
 * @param taskOrder number of the task in the process
 * @param question JSON: prompt, mode, options etc.
 * @param assignees users and roles that may answer; empty for everybody who may run workflows in the project
 * @param priority highest first
 * @param lockGroup tasks of the process in the same group are claimed together; or null
 * @param claimedBy the only user who may currently answer, or null
 * @param claimedUntil when the claim expires, or null
 * @param refusals number of invalid answers
 */
public record HumanTask(
        long taskOrder,
        String name,
        String question,
        List<Assignee> assignees,
        int priority,
        @Nullable String lockGroup,
        @Nullable String claimedBy,
        @Nullable Instant claimedUntil,
        @Nullable Instant deadline,
        int refusals) {
    /** The role that may perform every action on every task. */
    public static final String LEADER = "leader";

    /** The role of host administrators. */
    public static final String ADMINISTRATOR = "administrator";

    public HumanTask {
        assignees = List.copyOf(assignees);
    }

    /**
     * A user or role that may answer.
     *
     * @param id user id, or {@code role:} followed by the name of a role
     * @param category of the worklist
     * @param reason of the assignment
     */
    public record Assignee(String id, String category, String reason, Instant at) {
        private static final String ROLE = "role:";

        /** The id of a role. */
        public static String role(String name) {
            return ROLE + name;
        }

        /** Whether this is a role, not a user. */
        public boolean isRole() {
            return id.startsWith(ROLE);
        }

        /** Whether this is the user, or one of the user's roles. */
        public boolean is(String user, List<String> roles) {
            return id.equals(user) || isRole() && roles.contains(id.substring(ROLE.length()));
        }
    }

    /**
     * Whether the task is assigned to the user or one of the roles, or to nobody in particular; claims are not checked.
     */
    public boolean isFor(String user, List<String> roles) {
        return assignees.isEmpty() || assignees.stream().anyMatch(assignee -> assignee.is(user, roles));
    }

    /** Claimed by a user until a time; with null, released. */
    public HumanTask withClaim(@Nullable String user, @Nullable Instant claimedUntil) {
        return new HumanTask(
                taskOrder, name, question, assignees, priority, lockGroup, user, claimedUntil, deadline, refusals);
    }

    /** Assigned to others, and released. */
    public HumanTask withAssignees(List<Assignee> assignees) {
        return new HumanTask(taskOrder, name, question, assignees, priority, lockGroup, null, null, deadline, refusals);
    }

    /** Escalated to others until a time. */
    public HumanTask withEscalation(String question, List<Assignee> assignees, @Nullable Instant deadline) {
        return new HumanTask(taskOrder, name, question, assignees, priority, lockGroup, null, null, deadline, refusals);
    }

    /** With one more invalid answer. */
    public HumanTask withRefusal() {
        return new HumanTask(
                taskOrder,
                name,
                question,
                assignees,
                priority,
                lockGroup,
                claimedBy,
                claimedUntil,
                deadline,
                refusals + 1);
    }
}
