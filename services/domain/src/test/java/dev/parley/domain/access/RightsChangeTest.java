package dev.parley.domain.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.Seeds;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.AccessRecord.Rule;
import dev.parley.domain.access.RightsChange.Actor;
import dev.parley.domain.access.RightsChange.Change;
import dev.parley.domain.access.RightsChange.Change.OfAccount;
import dev.parley.domain.access.RightsChange.Change.OfGuests;
import dev.parley.domain.access.RightsChange.Change.OfHost;
import dev.parley.domain.access.RightsChange.Change.OfLimit;
import dev.parley.domain.access.RightsChange.Change.OfMember;
import dev.parley.domain.access.RightsChange.Change.OfNewKey;
import dev.parley.domain.access.RightsChange.Change.OfSignIn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RightsChangeTest {
    private static final UUID HOST = Ids.of("host", "one");
    private static final UUID ANN = Ids.of("user", "ann");
    private static final UUID BOB = Ids.of("user", "bob");
    private static final UUID PROJECT = Ids.of("project", "p");
    private static final Project IN = project(PROJECT);
    private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

    private static Project project(UUID id) {
        return new Project(HOST, id, 1, id.toString(), "P", false, false, null, null, null, List.of(), false, null);
    }

    private static Account account(UUID user, boolean admin, boolean active) {
        return new Account(HOST, user, 1, "x", admin, active, null, null, null);
    }

    private static AccessKey signIn(UUID user) {
        return new AccessKey(KeyKind.SIGN_IN, HOST, user, user, 1, "s", "", null, List.of(AccessKey.ALL), null);
    }

    private static AccessKey key(UUID user, @Nullable UUID project, @Nullable Instant end, String... permissions) {
        return new AccessKey(KeyKind.API_KEY, HOST, user, user, 1, "k", "", project, List.of(permissions), end);
    }

    private static Member member(UUID user, ProjectRole role, Rule... rules) {
        return new Member(HOST, PROJECT, user, 1, role, List.of(rules));
    }

    private static Rule allow(String capability) {
        return new Rule(capability, true);
    }

    private static Rule deny(String capability) {
        return new Rule(capability, false);
    }

    private static Actor ann(Member member) {
        return new Actor(account(ANN, false, true), signIn(ANN), IN, member);
    }

    private static Actor administrator(String... permissions) {
        return new Actor(account(ANN, true, true), key(ANN, null, null, permissions), null, null);
    }

    private static void assertAllowed(Actor actor, Change change) {
        assertEquals(List.of(), RightsChange.decide(actor, change).stream().toList());
    }

    private static void assertRefused(Actor actor, Change change) {
        assertTrue(RightsChange.decide(actor, change).isPresent(), change.toString());
    }

    @Test
    @Tag("B40")
    void keyThatManagesUsersMakesNoAdministratorAndTouchesNone() {
        // Given
        Actor key = administrator("user.manage");
        Account user = account(BOB, false, true);
        Account admin = account(BOB, true, true);

        // Then
        for (Change change : List.of(
                new OfAccount(user, admin),
                new OfAccount(null, admin),
                new OfAccount(null, user),
                new OfAccount(admin, user),
                new OfAccount(admin, account(BOB, true, false)),
                new OfAccount(account(BOB, true, false), admin),
                new OfSignIn(BOB),
                new OfSignIn(ANN),
                new OfHost(),
                new OfLimit(),
                new OfMember(BOB, null, member(BOB, ProjectRole.OWNER)))) {
            assertRefused(key, change);
            assertAllowed(administrator(AccessKey.ALL), change);
        }
        assertAllowed(key, new OfAccount(user, account(BOB, false, false)));
        assertRefused(
                new Actor(account(ANN, true, true), key(ANN, PROJECT, null, AccessKey.ALL), IN, null),
                new OfAccount(user, admin));
    }

    @Test
    @Tag("B41")
    void nobodyLiftsTheirOwnLimits() {
        // Given
        Member limited = member(ANN, ProjectRole.ADMIN, deny("file.write"));
        Actor ann = ann(limited);

        // Then
        assertRefused(ann, new OfMember(ANN, limited, member(ANN, ProjectRole.ADMIN)));
        assertRefused(ann, new OfMember(ANN, null, member(ANN, ProjectRole.VIEWER)));
        assertRefused(
                ann, new OfMember(ANN, limited, member(ANN, ProjectRole.ADMIN, deny("file.write"), allow("role:x"))));
        assertAllowed(ann, new OfMember(ANN, limited, null));
        assertAllowed(ann, new OfMember(ANN, limited, member(ANN, ProjectRole.VIEWER, deny("file.write"))));
        assertRefused(ann, new OfMember(BOB, null, member(BOB, ProjectRole.MEMBER)));
        assertAllowed(ann, new OfMember(BOB, null, member(BOB, ProjectRole.MEMBER, deny("file.write"))));
        assertRefused(ann, new OfGuests(Set.of(Capability.FILE_WRITE)));
        assertRefused(
                ann,
                new OfMember(BOB, member(BOB, ProjectRole.VIEWER, deny("agent.read")), member(BOB, ProjectRole.ADMIN)));
    }

    @Test
    @Tag("B41")
    void thoseWithMoreRightsAreOutOfReach() {
        // Given
        Member helper = member(ANN, ProjectRole.MEMBER, allow("member.manage"));
        Actor ann = ann(helper);
        Member lead = member(BOB, ProjectRole.ADMIN);

        // Then
        assertRefused(ann, new OfMember(BOB, lead, null));
        assertRefused(ann, new OfMember(BOB, lead, member(BOB, ProjectRole.VIEWER)));
        assertRefused(ann, new OfMember(BOB, member(BOB, ProjectRole.MEMBER, allow("role:clerk")), null));
        assertAllowed(ann, new OfMember(BOB, member(BOB, ProjectRole.MEMBER), null));
        assertAllowed(ann(member(ANN, ProjectRole.ADMIN)), new OfMember(BOB, lead, null));
        assertAllowed(
                ann(member(ANN, ProjectRole.ADMIN)),
                new OfMember(BOB, null, member(BOB, ProjectRole.VIEWER, allow("role:clerk"))));
        assertRefused(
                new Actor(account(ANN, false, true), key(ANN, null, null, "member.manage"), IN, helper),
                new OfMember(BOB, null, member(BOB, ProjectRole.VIEWER)));
    }

    @Test
    @Tag("B42")
    void keyMakesNoKeyWithMoreThanItself() {
        // Given
        Actor all = new Actor(account(ANN, false, true), key(ANN, null, NOON, AccessKey.ALL), null, null);
        Actor signedIn = new Actor(account(ANN, false, true), signIn(ANN), null, null);
        Actor few =
                new Actor(account(ANN, false, true), key(ANN, null, null, "key.manage", "session.read"), null, null);

        // Then
        assertAllowed(signedIn, new OfNewKey(key(ANN, null, null, AccessKey.ALL, "mcp.answer")));
        assertAllowed(all, new OfNewKey(key(ANN, PROJECT, NOON, "session.read")));
        assertRefused(all, new OfNewKey(key(ANN, null, NOON, "mcp.answer")));
        assertRefused(all, new OfNewKey(key(ANN, null, null, "session.read")));
        assertRefused(all, new OfNewKey(key(ANN, null, NOON.plusSeconds(1), "session.read")));
        assertRefused(few, new OfNewKey(key(ANN, null, null, AccessKey.ALL)));
        assertRefused(few, new OfNewKey(key(ANN, null, null, "session.send")));
        assertRefused(few, new OfNewKey(key(BOB, null, null, "session.read")));
        assertAllowed(few, new OfNewKey(key(ANN, null, null, "session.read")));
        assertRefused(few, new OfSignIn(ANN));
        assertAllowed(signedIn, new OfSignIn(ANN));
        assertRefused(signedIn, new OfSignIn(BOB));
    }

    // ---- random actors and sequences of changes

    /** No sequence of permitted changes gives the actor, or what it made or took over, a right that it did not have. */
    @Test
    @Tag("B43")
    void rightsNeverGrow() {
        assertEquals(List.of(), Seeds.failures(300, seed -> new World(random(seed)).attack(40)));
    }

    private static RandomGenerator random(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    /** A key in somebody's hand. */
    private record Hand(UUID user, AccessKey key) {}

    private static final class World {
        private static final List<UUID> PROJECTS = List.of(PROJECT, Ids.of("project", "q"));
        private static final List<String> TASK_ROLES = List.of("role:clerk", "role:boss");

        private static final int MAX_HANDS = 8;

        private final RandomGenerator random;
        private final Map<UUID, Account> accounts = new HashMap<>();
        private final Map<String, Member> members = new HashMap<>();
        private final List<Hand> hands = new ArrayList<>();
        private int made;

        World(RandomGenerator random) {
            this.random = random;
            for (int i = 0; i < 4; i++) {
                UUID user = Ids.of("user", i);
                accounts.put(user, account(user, random.nextInt(4) == 0, random.nextInt(5) > 0));
                for (UUID project : PROJECTS) {
                    if (random.nextBoolean()) {
                        put(randomMember(project, user));
                    }
                }
            }
            UUID attacker = Ids.of("user", 0);
            accounts.put(attacker, account(attacker, random.nextBoolean(), true));
            hands.add(new Hand(attacker, random.nextInt(3) == 0 ? signIn(attacker) : randomKey(attacker)));
        }

        private void put(Member member) {
            members.put(Member.key(member.project(), member.user()), member);
        }

        private @Nullable Member get(UUID project, UUID user) {
            return members.get(Member.key(project, user));
        }

        private <T> T any(List<T> values) {
            return values.get(random.nextInt(values.size()));
        }

        private Member randomMember(UUID project, UUID user) {
            var rules = new ArrayList<Rule>();
            for (int i = random.nextInt(4); i > 0; i--) {
                String name = random.nextInt(4) == 0
                        ? any(TASK_ROLES)
                        : any(inProject()).code();
                if (rules.stream().noneMatch(rule -> rule.capability().equals(name))) {
                    rules.add(new Rule(name, random.nextBoolean()));
                }
            }
            return new Member(HOST, project, user, 1, any(List.of(ProjectRole.values())), rules);
        }

        private static List<Capability> inProject() {
            return Arrays.stream(Capability.values())
                    .filter(Capability::inProject)
                    .toList();
        }

        private AccessKey randomKey(UUID user) {
            var permissions = new TreeSet<String>();
            if (random.nextInt(3) == 0) {
                permissions.add(AccessKey.ALL);
            }
            for (int i = random.nextInt(8); i > 0; i--) {
                permissions.add(any(List.of(Capability.values())).code());
            }
            @Nullable UUID project = random.nextInt(4) == 0 ? any(PROJECTS) : null;
            @Nullable Instant end = random.nextBoolean() ? null : NOON.plusSeconds(random.nextInt(3));
            return key(user, project, end, permissions.toArray(String[]::new));
        }

        void attack(int changes) {
            Set<String> start = rights();
            for (int i = 0; i < changes; i++) {
                change();
                Set<String> gained = new TreeSet<>(rights());
                gained.removeAll(start);
                assertEquals(Set.of(), gained);
            }
        }

        /** All that the hands can do together. */
        private Set<String> rights() {
            var rights = new TreeSet<String>();
            for (Hand hand : hands) {
                for (UUID project : PROJECTS) {
                    Actor actor = actor(hand, project);
                    for (Capability capability : Capability.values()) {
                        if (may(actor, capability)) {
                            rights.add(capability.code() + (capability.inProject() ? " in " + project : ""));
                        }
                    }
                    addTaskRoles(actor, project, rights);
                }
            }
            return rights;
        }

        private static boolean may(Actor actor, Capability capability) {
            if (capability == Capability.MCP_ANSWER && (actor.key().kind() == KeyKind.SIGN_IN || actor.administers())) {
                return actor.person().active(); // it can make a key that names it
            }
            return (capability.inProject()
                            ? Access.inProject(capability, actor.person(), actor.key(), actor.project(), actor.member())
                            : Access.inHost(capability, actor.person(), actor.key()))
                    == Access.Decision.ALLOWED;
        }

        /** Roles for tasks count only for hands that may answer tasks; those who manage workflows have them all. */
        private static void addTaskRoles(Actor actor, UUID project, Set<String> rights) {
            Member member = actor.member();
            boolean all = may(actor, Capability.WORKFLOW_MANAGE);
            if (all || member != null && may(actor, Capability.WORKFLOW_RUN)) {
                TASK_ROLES.stream()
                        .filter(role -> all || member.rules().contains(allow(role)))
                        .forEach(role -> rights.add(role + " in " + project));
            }
        }

        private Actor actor(Hand hand, UUID project) {
            return new Actor(accounts.get(hand.user()), hand.key(), project(project), get(project, hand.user()));
        }

        private void change() {
            if (hands.size() > MAX_HANDS) {
                hands.remove(random.nextInt(hands.size()));
            }
            Hand hand = any(hands);
            UUID project = any(PROJECTS);
            Actor actor = actor(hand, project);
            switch (random.nextInt(5)) {
                case 0, 1 -> changeMember(actor, project);
                case 2 -> changeAccount(actor);
                case 3 -> makeKey(actor, hand);
                default -> takeOver(actor);
            }
        }

        /** As the routes do, which need these capabilities too. */
        private boolean permits(Actor actor, Capability capability, Change change) {
            return may(actor, capability) && RightsChange.decide(actor, change).isEmpty();
        }

        private void changeMember(Actor actor, UUID project) {
            UUID user = any(List.copyOf(accounts.keySet()));
            Member before = get(project, user);
            Member after = random.nextInt(5) == 0 ? null : randomMember(project, user);
            if (permits(actor, Capability.MEMBER_MANAGE, new OfMember(user, before, after))) {
                if (after == null) {
                    members.remove(Member.key(project, user));
                } else {
                    put(after);
                }
            }
        }

        private void changeAccount(Actor actor) {
            boolean isNew = random.nextInt(3) == 0;
            UUID user = isNew ? Ids.of("made", made++) : any(List.copyOf(accounts.keySet()));
            Account after = account(user, random.nextInt(3) == 0, random.nextInt(3) > 0);
            Actor inHost = new Actor(actor.person(), actor.key(), null, null);
            if (permits(inHost, Capability.USER_MANAGE, new OfAccount(accounts.get(user), after))
                    && (!isNew || join(actor, user))) {
                accounts.put(user, after);
                if (isNew) {
                    hands.add(new Hand(user, signIn(user)));
                }
            }
        }

        /** New accounts are members of the default project, here the first one. */
        private boolean join(Actor actor, UUID user) {
            UUID home = PROJECTS.getFirst();
            var member = new Member(HOST, home, user, 1, ProjectRole.MEMBER, List.of());
            var there = new Actor(
                    actor.person(),
                    actor.key(),
                    project(home),
                    get(home, actor.person().user()));
            boolean allowed =
                    RightsChange.decide(there, new OfMember(user, null, member)).isEmpty();
            if (allowed) {
                put(member);
            }
            return allowed;
        }

        private void makeKey(Actor actor, Hand hand) {
            AccessKey key = randomKey(hand.user());
            Actor inHost = new Actor(actor.person(), actor.key(), null, null);
            if (permits(inHost, Capability.KEY_MANAGE, new OfNewKey(key))) {
                hands.add(new Hand(hand.user(), key));
            }
        }

        private void takeOver(Actor actor) {
            UUID user = any(List.copyOf(accounts.keySet()));
            Actor inHost = new Actor(actor.person(), actor.key(), null, null);
            if (permits(inHost, Capability.PROFILE_WRITE, new OfSignIn(user))) {
                hands.add(new Hand(user, signIn(user)));
            }
        }
    }
}
