package lookout

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"time"

	lookoutv1 "lookout.dev/client/lookout/v1"
)

// askExportEvery is how often WaitForExport asks.
const askExportEvery = time.Second

// WaitForExport waits until an export is done, for as long as the context allows. The error is an *Error: with CodeConflict if the export
// failed, was cancelled or has expired.
func (c *Client) WaitForExport(ctx context.Context, exportID string) (*lookoutv1.GetExportResponse, error) {
	for {
		export, err := c.Data.GetExport(ctx, &lookoutv1.GetExportRequest{ExportId: exportID})
		if err != nil {
			return nil, err
		}
		switch export.Status {
		case "completed":
			return export, nil
		case "processing":
		default:
			return nil, &Error{Code: CodeConflict, Message: fmt.Sprintf("the export is %s: %s", export.Status, export.GetReason())}
		}
		select {
		case <-ctx.Done():
			if ctx.Err() == context.Canceled {
				return nil, cancelled(ctx.Err())
			}
			return nil, &Error{Code: CodeTimeout, Message: "the export was not done in time. It goes on: ask for it again", cause: ctx.Err()}
		case <-time.After(askExportEvery):
		}
	}
}

// SaveExport waits until an export is done and writes its file, a ZIP archive, which replaces one that is there: see DownloadExport. A file
// that is not complete is removed.
func (c *Client) SaveExport(ctx context.Context, exportID, path string) error {
	if _, err := c.WaitForExport(ctx, exportID); err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	err = c.DownloadExport(ctx, exportID, file)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		_ = os.Remove(path)
	}
	return err
}

// DownloadExport waits until an export is done and writes its file, a ZIP archive, to a writer. A download that breaks off, or of which
// nothing comes for Options.Timeout, goes on where it was: as often as a call is repeated without anything new of the file. It compares the file with the checksum of the
// service, and fails with CodeBadAnswer if it differs.
func (c *Client) DownloadExport(ctx context.Context, exportID string, to io.Writer) error {
	export, err := c.WaitForExport(ctx, exportID)
	if err != nil {
		return err
	}
	address, err := url.Parse(export.GetDownloadUrl())
	if err != nil {
		return &Error{Code: CodeBadAnswer, Message: "the export has no address that can be read", cause: err}
	}
	sum := sha256.New()
	file := &exportFile{to: io.MultiWriter(to, sum)}
	asked := &lookoutv1.DownloadExportRequest{ExportId: exportID, Signature: address.Query().Get("signature")}
	for failures := 0; ; {
		before := file.written
		err = c.download(ctx, asked, file)
		var failure *Error
		if err == nil || !errors.As(err, &failure) || !failure.IsTemporary() {
			break
		}
		failures++
		if file.written > before {
			failures = 1
		}
		if failures > c.calls.maxRetries {
			break
		}
		// A download that cannot be opened was tried again already.
		if !file.hasBegun && failure.Code != CodeBadAnswer {
			break
		}
		if !sleep(ctx, waitBefore(failure, failures)) {
			break
		}
	}
	if err != nil {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) != export.GetSha256() {
		return &Error{Code: CodeBadAnswer, Message: "the file of the export broke off or was changed. Download it again"}
	}
	return nil
}

// download writes what is not yet there. Each part has the time of a call to come.
func (c *Client) download(ctx context.Context, asked *lookoutv1.DownloadExportRequest, file *exportFile) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timeout := c.calls.timeoutOf(ctx)
	stalled := time.AfterFunc(timeout, func() { cancel(errLate) })
	defer stalled.Stop()
	file.hasBegun = false
	asked.Offset = Ptr(float64(file.written))
	for part, err := range c.Data.DownloadExport(ctx, asked) {
		stalled.Stop()
		if err != nil && context.Cause(ctx) == errLate {
			return &Error{Code: CodeTimeout, Message: fmt.Sprintf("nothing came of the export's file for %v", timeout), cause: err}
		}
		if err != nil {
			return err
		}
		if err := file.take(part); err != nil {
			return err
		}
		stalled.Reset(timeout)
	}
	return nil
}

// exportFile is a file over one download or several.
type exportFile struct {
	to io.Writer
	// written is how many bytes are written.
	written int64
	// hasBegun says whether anything has come of this download, and known is how many of its next bytes are written already.
	hasBegun bool
	known    int64
}

func (f *exportFile) take(part *lookoutv1.DownloadExportResponse) error {
	if !f.hasBegun {
		f.hasBegun = true
		// An older service sends the whole file, and no offset.
		f.known = f.written - int64(part.GetOffset())
	}
	if f.known < 0 {
		return &Error{Code: CodeBadAnswer, Message: "the file of the export goes on behind what has come of it. Download it again"}
	}
	known := min(int64(len(part.GetData())), f.known)
	f.known -= known
	count, err := f.to.Write(part.GetData()[known:])
	f.written += int64(count)
	if err != nil {
		return fmt.Errorf("the export could not be written: %w", err)
	}
	return nil
}
