package dev.parley.console;

import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.domain.access.Capability;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Public;
import dev.parley.platform.http.signin.BrowserSignIn;
import dev.parley.platform.http.signin.SignOut;
import io.micronaut.context.env.Environment;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Hidden;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sign-in of the console, and the rights of its user, by which the page hides what they may not do. */
@Hidden
@Controller("/console")
class SignInController {
    private final BrowserSignIn browsers;
    private final Optional<SignOut> signOut;
    private final List<String> roles;

    SignInController(BrowserSignIn browsers, Optional<SignOut> signOut, Environment environment) {
        this.browsers = browsers;
        this.signOut = signOut;
        this.roles =
                environment.getPropertyEntries("parley.role").stream().sorted().toList();
    }

    /** @param refreshToken of a sign-in, or null for an API key */
    @Serdeable
    record SignInJson(@Nullable String refreshToken) {}

    /**
     * The user and their rights in a project.
     *
     * @param may names of capabilities, of the project and of the host
     * @param key kind of their key: {@code sign_in} or {@code api_key}
     * @param roles roles of this process, which serves no paths of others
     */
    @Serdeable
    record RightsJson(
            String id,
            String name,
            boolean administrator,
            boolean operator,
            String project,
            List<String> may,
            String key,
            List<String> roles) {}

    /** Signs in this browser with the key of the request. */
    @Post("/sign-in")
    @Authenticated
    HttpResponse<RightsJson> signIn(@Nullable @Body SignInJson body, Caller caller) {
        var answer = HttpResponse.ok(rightsIn(caller, null)).cookie(browsers.cookie(caller));
        @Nullable String refresh = body == null ? null : body.refreshToken();
        if (refresh != null && caller.key().kind() == KeyKind.SIGN_IN) {
            answer.cookie(browsers.refreshCookie(refresh));
        }
        return answer.header("Cache-Control", "no-store");
    }

    /** Signs out: ends the cookie, and the sign-in that it was created with. */
    @Delete("/sign-in")
    @Public
    @ExecuteOn(TaskExecutors.BLOCKING)
    HttpResponse<Void> signOut(HttpRequest<?> request) {
        browsers.end(request).ifPresent(caller -> signOut.ifPresent(sign -> sign.end(caller)));
        return HttpResponse.<Void>noContent().cookies(browsers.none());
    }

    /**
     * The rights of the user.
     *
     * @param project null for the default one of the host
     */
    @Get("/rights")
    @Authenticated
    HttpResponse<RightsJson> rights(Caller caller, @Nullable @QueryValue String project) {
        return HttpResponse.ok(rightsIn(caller, project)).header("Cache-Control", "no-store");
    }

    private RightsJson rightsIn(Caller caller, @Nullable String requested) {
        String project = requested == null ? AccessDirectory.defaultProject(caller.host()) : requested;
        if (requested != null && !caller.may(Capability.PROJECT_READ, project)) {
            throw ApiException.notFound("unknown_project", "There is no project '" + project + "'");
        }
        List<String> may = Arrays.stream(Capability.values())
                .filter(capability -> capability.inProject() ? caller.may(capability, project) : caller.may(capability))
                .map(Capability::code)
                .toList();
        return new RightsJson(
                caller.user(),
                caller.person().name(),
                caller.person().admin(),
                caller.person().admin() && caller.host().equals(Caller.DEFAULT_HOST),
                project,
                may,
                caller.key().kind().name().toLowerCase(Locale.ROOT),
                roles);
    }
}
