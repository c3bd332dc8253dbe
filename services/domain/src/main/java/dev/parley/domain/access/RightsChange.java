package dev.parley.domain.access;

import dev.parley.domain.access.Access.Decision;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether an actor may change rights. Every route that changes rights asks here, so that no sequence of changes
 * gives an actor, or an account or key that the actor makes, a right that the actor did not have.
 *
 * <p>The rule: an actor gives only rights that it has itself, with all limits of its membership and of its key; it
 * takes rights only from those who have no more than itself; and nobody gives anything to themselves.
 */
public final class RightsChange {
    /** The right of administrators of a host with an unlimited key. */
    private static final String ADMINISTRATOR = "administrator";

    /** The rights that every active account of a host has. They protect nobody from being deactivated. */
    private static final Set<String> BASE = codes(EnumSet.of(
            Capability.PROJECT_CREATE, Capability.KEY_MANAGE, Capability.CREDENTIAL_MANAGE, Capability.PROFILE_WRITE));

    private RightsChange() {}

    /**
     * Who changes rights.
     *
     * @param key by which they are authenticated
     * @param project in which rights change; null for changes in the host
     * @param member their membership in that project, or null
     */
    public record Actor(
            Account person,
            AccessKey key,
            @Nullable Project project,
            @Nullable Member member) {

        /** Whether the actor is an administrator with an unlimited key, who has every right in the host. */
        public boolean administers() {
            return person.active() && person.admin() && key.isUnlimited();
        }

        private boolean has(String right) {
            return right.equals(ADMINISTRATOR)
                    ? administers()
                    : Capability.of(right).map(this::has).orElseGet(() -> hasTaskRole(right));
        }

        private boolean has(Capability capability) {
            if (!capability.inProject()) {
                return Access.inHost(capability, person, key) == Decision.ALLOWED;
            }
            Decision decision =
                    project == null ? Decision.HIDDEN : Access.inProject(capability, person, key, project, member);
            return administers() || decision == Decision.ALLOWED || decision == Decision.ARCHIVED;
        }

        /** Those who manage workflows do everything with tasks. */
        private boolean hasTaskRole(String role) {
            return has(Capability.WORKFLOW_MANAGE)
                    || key.isUnlimited() && member != null && rights(member).contains(role);
        }
    }

    /** A change of rights. */
    public sealed interface Change {
        /**
         * An account is made, changed, removed or restored.
         *
         * @param before null where it is new
         */
        record OfAccount(@Nullable Account before, Account after) implements Change {}

        /** How an account signs in is changed: its password, e-mail address, identities, codes, sign-ins. */
        record OfSignIn(UUID user) implements Change {}

        /**
         * A member is added, changed or removed.
         *
         * @param before null where it is new
         * @param after null where it is removed
         */
        record OfMember(
                UUID user,
                @Nullable Member before,
                @Nullable Member after) implements Change {}

        /** A key is made. */
        record OfNewKey(AccessKey key) implements Change {}

        /**
         * Capabilities in the project are given to people without an account: guests of a bot, readers of a link,
         * receivers of a webhook; or to all its members.
         */
        record OfGuests(Set<Capability> capabilities) implements Change {
            public OfGuests {
                capabilities = Set.copyOf(capabilities);
            }
        }

        /** A limit that an administrator set, such as the budget of a project, is changed or lifted. */
        record OfLimit() implements Change {}

        /** What decides who gets in: whether people register themselves, a new host with its administrator. */
        record OfHost() implements Change {}
    }

    /** The reason of a refusal, a sentence that says what to do. */
    public record Refusal(String reason) {}

    /** Empty where the actor may make the change. */
    public static Optional<Refusal> decide(Actor actor, Change change) {
        return switch (change) {
            case Change.OfAccount account ->
                decide(actor, account.after().user(), rights(account.before()), rights(account.after()));
            case Change.OfMember member ->
                decide(actor, member.user(), rights(member.before()), rights(member.after()));
            case Change.OfSignIn signIn -> signIn(actor, signIn.user());
            case Change.OfNewKey made -> newKey(actor, made.key());
            case Change.OfGuests guests -> missing(actor, codes(guests.capabilities()));
            case Change.OfLimit _ -> missing(actor, codes(EnumSet.of(Capability.SETTING_MANAGE)));
            case Change.OfHost _ -> refuseUnless(actor.administers());
        };
    }

    private static boolean isSelf(Actor actor, UUID user) {
        return actor.person().user().equals(user);
    }

    private static Optional<Refusal> decide(Actor actor, UUID target, Set<String> before, Set<String> after) {
        Set<String> gained = without(after, before);
        if (isSelf(actor, target) && !actor.administers() && !gained.isEmpty()) {
            return Optional.of(new Refusal("You cannot change your own limits: ask somebody else who may."));
        }
        return missing(actor, gained).or(() -> missing(actor, without(before, BASE)));
    }

    private static Optional<Refusal> missing(Actor actor, Set<String> rights) {
        String missing = new TreeSet<>(rights)
                .stream().filter(right -> !actor.has(right)).collect(Collectors.joining(", "));
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(new Refusal("This concerns rights that you, or your key, do not have: " + missing + "."));
    }

    private static Set<String> without(Set<String> rights, Set<String> others) {
        var rest = new HashSet<>(rights);
        rest.removeAll(others);
        return rest;
    }

    /** Whoever changes how an account signs in can sign in as it. */
    private static Optional<Refusal> signIn(Actor actor, UUID user) {
        if (isSelf(actor, user) && actor.key().kind() == KeyKind.SIGN_IN) {
            return Optional.empty();
        }
        return refuseUnless(actor.administers());
    }

    private static Optional<Refusal> refuseUnless(boolean allowed) {
        return allowed
                ? Optional.empty()
                : Optional.of(new Refusal("Only an administrator with an unrestricted key may do this."));
    }

    private static Optional<Refusal> newKey(Actor actor, AccessKey made) {
        AccessKey own = actor.key();
        if (!isSelf(actor, made.user())) {
            return Optional.of(new Refusal("A key is made by its own user."));
        }
        List<String> more =
                made.permissions().stream().filter(code -> !includes(own, code)).toList();
        if (!more.isEmpty()) {
            return Optional.of(new Refusal(
                    "A key cannot create a key with more permissions than its own: " + String.join(", ", more)));
        }
        boolean elsewhere = own.project() != null && !own.project().equals(made.project());
        return elsewhere || lastsLonger(made, own)
                ? Optional.of(new Refusal("A key cannot create a key for other projects, or that lasts longer."))
                : Optional.empty();
    }

    /** A capability that must be named comes from a sign-in, or from a key that names it. */
    private static boolean includes(AccessKey own, String code) {
        if (own.permissions().contains(code)) {
            return true;
        }
        boolean all = own.permissions().contains(AccessKey.ALL);
        boolean named = Capability.of(code).filter(Capability::isNamed).isPresent();
        return all && (!named || own.kind() == KeyKind.SIGN_IN || own.isInstallations());
    }

    private static boolean lastsLonger(AccessKey made, AccessKey own) {
        Instant end = own.kind() == KeyKind.SIGN_IN ? null : own.expiresAt();
        return end != null && (made.expiresAt() == null || made.expiresAt().isAfter(end));
    }

    /** An administrator who is removed counts as one, as restoring them restores their rights. */
    private static Set<String> rights(@Nullable Account account) {
        var rights = new HashSet<String>();
        if (account != null && account.active()) {
            rights.addAll(BASE);
        }
        if (account != null && account.admin()) {
            rights.add(ADMINISTRATOR);
        }
        return rights;
    }

    private static Set<String> rights(@Nullable Member member) {
        if (member == null) {
            return Set.of();
        }
        Set<String> rights = Arrays.stream(Capability.values())
                .filter(capability -> capability.inProject() && member.allows(capability))
                .map(Capability::code)
                .collect(Collectors.toCollection(HashSet::new));
        member.taskRoles().stream()
                .filter(role -> !role.equals(member.role().code()))
                .forEach(role -> rights.add(Member.TASK_ROLE + role));
        return rights;
    }

    private static Set<String> codes(Set<Capability> capabilities) {
        return capabilities.stream().map(Capability::code).collect(Collectors.toUnmodifiableSet());
    }
}
