package dev.parley.control.people;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.http.EmailAddress;
import dev.parley.control.http.JsonColumns;
import dev.parley.control.http.NewIds;
import dev.parley.control.identity.Identity;
import dev.parley.control.outbox.PublicationBarrier;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.domain.access.ProjectRole;
import dev.parley.domain.access.RightsChange.Change.OfAccount;
import dev.parley.domain.access.RightsChange.Change.OfMember;
import dev.parley.domain.access.RightsChange.Change.OfSignIn;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.IfMatch;
import io.micronaut.http.HttpStatus;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The people of a host. */
@Singleton
final class People {
    /** Maximum characters of the preferences of a person. */
    static final int MAX_PREFERENCES = 64 << 10;

    private static final int MAX_ENTERED = 3;
    private static final long FIRST_LOCK = 0x5041_5253_4649_5254L;

    private final Database database;
    private final Audit audit;
    private final PersonRows rows;
    private final SignInAccountRows accounts;
    private final IdentityRows identities;
    private final PublicationBarrier published;

    People(
            Database database,
            PersonRows rows,
            SignInAccountRows accounts,
            IdentityRows identities,
            PublicationBarrier published,
            Audit audit) {
        this.audit = audit;
        this.database = database;
        this.rows = rows;
        this.accounts = accounts;
        this.identities = identities;
        this.published = published;
    }

    /**
     * A new account.
     *
     * @param passwordHash null for an account that signs in by other means
     * @param identity its external identity, or null
     */
    record NewPerson(
            String username,
            @Nullable String email,
            @Nullable String passwordHash,
            @Nullable String timeZone,
            @Nullable String language,
            @Nullable Identity identity) {}

    /** Whether the installation has no account besides its built-in administrator. */
    boolean isEmpty() {
        return database.in(Tenant.ALL, () -> rows.hasNobodyBut(AccessDirectory.DEFAULT_HOST, AccessDirectory.ADMIN));
    }

    /**
     * Adds a person to a host, and to its default project as a member.
     *
     * @param actor the user who adds them, or null for self-registration
     * @param mayBeFirst whether it may be the first person of the host, who becomes its administrator
     * @throws ApiException 409 where the username or the e-mail address is taken, 403 for a first person without proof
     */
    Person add(UUID host, NewPerson person, @Nullable String actor, boolean mayBeFirst) {
        return add(host, person, actor, account -> {
            if (account.admin() && !mayBeFirst) {
                throw Registration.firstNeedsProof();
            }
        });
    }

    /**
     * Adds a person to the caller's host.
     *
     * @throws ApiException as {@link #add(UUID, NewPerson, String, boolean)}; 403 where the account would have more rights than
     *     the caller
     */
    Person add(Caller caller, NewPerson person) {
        Project project = caller.require(Capability.PROJECT_READ, null);
        return add(caller.host(), person, caller.user(), account -> {
            UUID user = account.user();
            caller.requireChange(new OfAccount(null, account));
            var member = new Member(account.host(), project.project(), user, 0, ProjectRole.MEMBER, List.of());
            caller.requireChange(new OfMember(user, null, member), project);
        });
    }

    /** @param check receives the account before it is added */
    private Person add(UUID host, NewPerson person, @Nullable String actor, Consumer<Account> check) {
        UUID id = NewIds.next();
        UUID project = RecordKey.projectId(AccessDirectory.defaultProject(host));
        String user = actor == null ? id.toString() : actor;
        Person added = unique(() -> database.in(Tenant.ALL, () -> insert(host, project, id, person, user, check)));
        published.await(Account.key(host, id), 0L);
        published.await(Member.key(project, id), 0L);
        return added;
    }

    private Person insert(UUID host, UUID project, UUID id, NewPerson person, String actor, Consumer<Account> check) {
        rows.lockAll(FIRST_LOCK);
        boolean first = rows.hasNobodyBut(host, AccessDirectory.ADMIN);
        check.accept(new Account(host, id, 0, person.username(), first, true, null, null, null));
        requireFree(person.email(), id);
        rows.insert(
                id,
                person.username(),
                person.email(),
                person.passwordHash(),
                person.timeZone(),
                person.language(),
                actor);
        rows.insertInHost(host, id, first ? "admin" : "user", actor);
        rows.insertInProject(host, project, id, actor);
        Identity identity = person.identity();
        if (identity != null) {
            if (rows.proveEmail(id) > 0) { // providers send verified addresses only
                releaseEmail(id, actor);
            }
            identities.add(identity.provider(), identity.subject(), id);
        }
        audit.add(Entry.done(host, null, "user", "create", id, actor));
        return rows.find(host, id).orElseThrow();
    }

    /** Addresses that their owner has proved belong to one account; others may stand in several. */
    private void requireFree(@Nullable String email, UUID user) {
        if (email != null && !email.isEmpty() && rows.isProvedByAnother(email, user)) {
            throw emailTaken();
        }
    }

    private static ApiException emailTaken() {
        return new ApiException(HttpStatus.CONFLICT, "email_taken", "Another user has this e-mail address.");
    }

    /** Takes the proved address of a person from the other accounts in which somebody had entered it. */
    void releaseEmail(UUID user, String actor) {
        for (UUID other : rows.releaseEmail(user, actor)) {
            accounts.findByUser(other)
                    .ifPresent(account ->
                            audit.add(Entry.done(account.host(), null, "user", "lose-address", other, actor)));
        }
    }

    private static <T> T unique(Supplier<T> work) {
        try {
            return work.get();
        } catch (FailedException e) {
            throw switch (e.duplicate().orElse("")) {
                case "idx_users_username" ->
                    new ApiException(HttpStatus.CONFLICT, "username_taken", "Another user has this username.");
                case "idx_users_email" -> emailTaken();
                default -> e;
            };
        }
    }

    /** A person of this host. */
    Optional<Person> find(UUID host, UUID user) {
        return database.in(Tenant.of(host), () -> rows.find(host, user));
    }

    /**
     * A page of the people by username.
     *
     * @param inactive whether to include removed people
     */
    List<Person> list(UUID host, @Nullable String prefix, boolean inactive, int max, @Nullable Cursor after) {
        return database.listingIn(
                Tenant.of(host),
                () -> rows.page(
                        host,
                        inactive,
                        prefix,
                        prefix == null ? null : prefix + '\uFFFF',
                        after == null ? null : after.first(),
                        max + 1));
    }

    /** Changed fields of a person; null leaves a field unchanged, an empty text clears it. */
    record Change(
            @Nullable String email,
            @Nullable String avatarUrl,
            @Nullable String timeZone,
            @Nullable String language,
            @Nullable String preferences,
            @Nullable String role,
            @Nullable Boolean active) {}

    /**
     * Changes a person.
     *
     * @param required whether If-Match is required
     * @throws ApiException 403 as {@link dev.parley.domain.access.RightsChange} says, 404 where the person does not
     *     exist, 409 where an e-mail address is taken, 412 for another version
     */
    Person change(Caller caller, UUID user, Change change, @Nullable String ifMatch, boolean required) {
        UUID host = caller.host();
        String actor = caller.user();
        Person changed = unique(() -> database.in(Tenant.of(host), () -> {
            Person before = locked(host, user);
            requireAllowed(caller, before.account(host), change);
            if (required) {
                IfMatch.require(ifMatch, before.version());
            } else {
                IfMatch.check(ifMatch, before.version());
            }
            requireFree(change.email(), user);
            update(host, user, change, actor);
            audit.add(Entry.done(host, null, "user", "update", user, actor));
            Person after = rows.find(host, user).orElseThrow();
            requireSmall(before.preferences(), after.preferences());
            return after;
        }));
        published.await(Account.key(host, user), changed.version() + 1);
        return changed;
    }

    private static void requireAllowed(Caller caller, Account before, Change change) {
        if (change.email() != null) {
            caller.requireChange(new OfSignIn(before.user()));
        }
        if (change.role() != null || change.active() != null) {
            boolean admin =
                    change.role() == null ? before.admin() : change.role().equals("admin");
            caller.requireChange(new OfAccount(
                    before, with(before, admin, change.active() == null ? before.active() : change.active())));
        }
    }

    private static Account with(Account account, boolean admin, boolean active) {
        return new Account(
                account.host(), account.user(), account.version(), account.name(), admin, active, null, null, null);
    }

    /** Bounds what changes add up to; preferences that are larger from before can shrink. */
    private static void requireSmall(JsonNode before, JsonNode after) {
        int length = JsonColumns.text(after).length();
        if (length > MAX_PREFERENCES && length > JsonColumns.text(before).length()) {
            throw ApiException.tooLarge(
                    "Preferences must have at most " + MAX_PREFERENCES + " characters, all together");
        }
    }

    private void update(UUID host, UUID user, Change change, String actor) {
        rows.change(
                user,
                change.email(),
                change.avatarUrl(),
                change.timeZone(),
                change.language(),
                change.preferences(),
                actor);
        if (change.role() != null || change.active() != null) {
            rows.changeInHost(host, user, change.role(), change.active(), actor);
            requireAdministrator(host);
        }
    }

    private Person locked(UUID host, UUID user) {
        rows.lock(user);
        return rows.find(host, user)
                .orElseThrow(() -> ApiException.notFound("unknown_user", "There is no user " + user));
    }

    private void requireAdministrator(UUID host) {
        if (!rows.hasAdministrator(host)) {
            throw new ApiException(
                    HttpStatus.CONFLICT, "last_administrator", "A host needs at least one administrator.");
        }
    }

    /**
     * Removes a person; an administrator can restore them.
     *
     * @param newOwner the new owner of their projects, or null
     * @throws ApiException 403 as {@link dev.parley.domain.access.RightsChange} says, 409 where they own projects and
     *     no new owner is given
     */
    void remove(Caller caller, UUID user, @Nullable UUID newOwner, @Nullable String ifMatch) {
        UUID host = caller.host();
        String actor = caller.user();
        Person removed = database.in(Tenant.of(host), () -> {
            Person before = requireRemovable(caller, user);
            IfMatch.check(ifMatch, before.version());
            transferProjects(caller, user, newOwner);
            rows.changeInHost(host, user, null, false, actor);
            requireAdministrator(host);
            rows.endSignIns(host, user, null);
            rows.revokeKeys(host, user, actor);
            audit.add(Entry.done(host, null, "user", "delete", user, actor));
            return rows.find(host, user).orElseThrow();
        });
        published.await(Account.key(host, user), removed.version() + 1);
    }

    /**
     * Erases a person: the account keeps only its id, and all services delete their data.
     *
     * @param newOwner the new owner of their projects, or null
     * @return the id of the erasure
     * @throws ApiException 403 as {@link dev.parley.domain.access.RightsChange} says, 409 where they own projects and
     *     no new owner is given, or are the only administrator
     */
    UUID erase(Caller caller, UUID user, @Nullable UUID newOwner, @Nullable String ifMatch) {
        UUID host = caller.host();
        String actor = caller.user();
        if (user.equals(AccessDirectory.ADMIN)) {
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "installation",
                    "The built-in administrator of the installation cannot be erased.");
        }
        UUID erasure = UUID.randomUUID();
        long before = database.in(Tenant.of(host), () -> {
            long version = requireRemovable(caller, user).version();
            IfMatch.check(ifMatch, version);
            transferProjects(caller, user, newOwner);
            rows.erase(host, user, erasure, actor);
            requireAdministrator(host);
            rows.deleteOwned(host, user);
            anonymise(user, actor);
            audit.add(Entry.done(host, null, "user", "erase", user, actor));
            return version;
        });
        published.await(Account.key(host, user), before + 2);
        return erasure;
    }

    /** Clears the data that all hosts share, unless the person belongs to another host. */
    private void anonymise(UUID user, String actor) {
        if (rows.isInAnyHost(user)) {
            return;
        }
        rows.deleteIdentities(user);
        rows.deleteCodes(user);
        rows.anonymise(user, actor);
    }

    private Person requireRemovable(Caller caller, UUID user) {
        Person before = locked(caller.host(), user);
        Account account = before.account(caller.host());
        caller.requireChange(new OfAccount(account, with(account, false, false)));
        return before;
    }

    private void transferProjects(Caller caller, UUID user, @Nullable UUID newOwner) {
        UUID host = caller.host();
        String actor = caller.user();
        int owned = rows.countOwned(host, user);
        if (owned == 0) {
            return;
        }
        if (newOwner == null || newOwner.equals(user)) {
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "owns_projects",
                    "This user owns %d projects: name their new owner with ?reassignTo=.".formatted(owned));
        }
        if (rows.find(host, newOwner).filter(Person::active).isEmpty()) {
            throw ApiException.notFound("unknown_user", "There is no user " + newOwner);
        }
        var owner = new Member(host, host, newOwner, 0, ProjectRole.OWNER, List.of());
        caller.requireChange(new OfMember(newOwner, null, owner)); // of several projects: the caller has all rights
        rows.demoteOwner(host, user, actor);
        rows.insertOwner(host, user, newOwner, actor);
        rows.setOwner(host, user, newOwner, actor);
    }

    /** The account with this username or proved e-mail address, in its first host. */
    Optional<SignInAccount> findAccount(String name) {
        return database.in(Tenant.ALL, () -> accounts.findByLogin(name));
    }

    /**
     * The accounts that a name may mean: the one with this username or proved e-mail address, otherwise those in which
     * this address was entered, at most {@value #MAX_ENTERED}.
     */
    List<SignInAccount> findAccounts(String name) {
        String normal = EmailAddress.normal(name).orElse(name);
        return database.in(Tenant.ALL, () -> {
            Optional<SignInAccount> one = accounts.findByLogin(normal);
            if (one.isPresent()) {
                return List.of(one.get());
            }
            List<SignInAccount> entered = accounts.findByEnteredEmail(normal, MAX_ENTERED);
            return entered.isEmpty() && !normal.equals(name)
                    ? accounts.findByEnteredEmail(name, MAX_ENTERED) // stored by a version that did not normalise it
                    : entered;
        });
    }

    /** The account with this id. */
    Optional<SignInAccount> findAccount(UUID user) {
        return database.in(Tenant.ALL, () -> accounts.findByUser(user));
    }

    /** The account with this external identity. */
    Optional<SignInAccount> findAccount(Identity identity) {
        return database.in(Tenant.ALL, () -> accounts.findByIdentity(identity.provider(), identity.subject()));
    }

    /**
     * Records that an administrator of the host issues a sign-in code for a person.
     *
     * @throws ApiException 403 as {@link dev.parley.domain.access.RightsChange} says, 404 where they do not belong to
     *     this host, 409 where they are removed, or belong to another host as well, which the administrator has no
     *     rights in
     */
    void allowSignInCode(Caller caller, UUID user) {
        caller.requireChange(new OfSignIn(user));
        UUID host = caller.host();
        Person person =
                find(host, user).orElseThrow(() -> ApiException.notFound("unknown_user", "There is no user " + user));
        if (!person.active()) {
            throw new ApiException(
                    HttpStatus.CONFLICT, "account_removed", "This user was removed: restore the account first.");
        }
        database.in(Tenant.ALL, () -> {
            if (rows.isInOtherHost(user, host)) {
                throw new ApiException(
                        HttpStatus.CONFLICT,
                        "in_other_hosts",
                        "This user also belongs to another host, which you do not administer.");
            }
            audit.add(Entry.done(host, null, "user", "sign-in-code", user, caller.user()));
        });
    }

    /** Sets a password and ends all sign-ins except one. */
    void setPassword(UUID host, UUID user, String hash, UUID currentSignIn, String actor) {
        database.in(Tenant.of(host), () -> {
            rows.setPassword(user, hash, actor);
            rows.endSignIns(host, user, currentSignIn);
            audit.add(Entry.done(host, null, "user", "password", user, actor));
        });
    }
}
