package lookout

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
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
		export, err := c.Data.DoGetExport(ctx, &lookoutv1.GetExportRequest{ExportId: exportID})
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

// DownloadExport waits until an export is done and writes its file, a ZIP archive, to a writer. It compares the file with the checksum of the
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
	asked := &lookoutv1.DownloadExportRequest{ExportId: exportID, Signature: address.Query().Get("signature")}
	for part, err := range c.Data.DoDownloadExport(ctx, asked) {
		if err != nil {
			return err
		}
		if _, err := io.MultiWriter(to, sum).Write(part.GetData()); err != nil {
			return fmt.Errorf("the export could not be written: %w", err)
		}
	}
	if hex.EncodeToString(sum.Sum(nil)) != export.GetSha256() {
		return &Error{Code: CodeBadAnswer, Message: "the file of the export broke off or was changed. Download it again"}
	}
	return nil
}
