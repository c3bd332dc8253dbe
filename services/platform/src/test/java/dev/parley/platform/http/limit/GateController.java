package dev.parley.platform.http.limit;

import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.EventStream;
import dev.parley.platform.http.Public;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.reactivestreams.Publisher;

/** Routes of each kind, for the tests of the gate. */
@Controller
@Requires(property = "test.gate")
class GateController {
    static final AtomicLong HANDLED = new AtomicLong();

    @Public
    @Post(uri = "/public", consumes = MediaType.ALL)
    int open(@Body byte[] body) {
        HANDLED.incrementAndGet();
        return body.length;
    }

    @Authenticated
    @Post(uri = "/usual", consumes = MediaType.ALL)
    int usual(@Body byte[] body) {
        HANDLED.incrementAndGet();
        return body.length;
    }

    @Authenticated
    @MaxBody(BodySize.FILES)
    @Post(uri = "/files", consumes = MediaType.ALL)
    int files(@Body byte[] body) {
        HANDLED.incrementAndGet();
        return body.length;
    }

    @Authenticated
    @Get("/small")
    String small() {
        return "small";
    }

    @Public
    @Get("/large")
    byte[] large() {
        return new byte[32 << 20];
    }

    @Authenticated
    @Get("/stream")
    @Produces(MediaType.TEXT_EVENT_STREAM)
    HttpResponse<Publisher<byte[]>> stream() {
        return new EventStream(sink -> {
                    sink.heartbeat();
                    new CountDownLatch(1).await();
                })
                .response();
    }
}
