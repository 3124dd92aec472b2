package lookout

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

const (
	// firstWait is the wait before the second try. It doubles each time.
	firstWait = 200 * time.Millisecond
	// mostWait is the longest wait. A service that asks for more is not called again.
	mostWait = time.Minute
)

// waitBefore is how long to wait after so many failures: what the service asks for and up to a tenth more, or a time that doubles and half
// of which is random. So clients that failed together do not return together.
func waitBefore(failure *Error, failures int) time.Duration {
	if failure.RetryAfter > 0 {
		return failure.RetryAfter + time.Duration(rand.Float64()*float64(failure.RetryAfter)/10)
	}
	wait := min(mostWait, firstWait<<(failures-1))
	return wait/2 + time.Duration(rand.Float64()*float64(wait)/2)
}

// sleep waits, and says whether it did: it does not wait for what comes after the context's end.
func sleep(ctx context.Context, wait time.Duration) bool {
	if end, ok := ctx.Deadline(); ok && time.Until(end) < wait {
		return false
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// retryAfterOf reads the header Retry-After, which is a number of seconds or a date. It is 0 without one.
func retryAfterOf(header http.Header) time.Duration {
	text := header.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil {
		return max(0, time.Duration(seconds)*time.Second)
	}
	if date, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(date))
	}
	return 0
}
